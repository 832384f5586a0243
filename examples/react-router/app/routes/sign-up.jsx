import { checkRequest } from '@postern/sdk-node';
import { createPosternClient, useEmailField } from '@postern/sdk-react';
import { useState } from 'react';
import { data, Form } from 'react-router';
import { postern } from '../postern.server.js';

export const loader = () => ({
  baseUrl: process.env.POSTERN_URL,
  projectId: process.env.POSTERN_PROJECT_ID,
  apiKey: process.env.POSTERN_CLIENT_KEY,
});

export async function action({ request }) {
  const checked = await checkRequest(postern, request);
  if (!checked.accepted)
    return data({ message: checked.refusal.message }, { status: checked.refusal.status });
  return { message: `Welcome, ${checked.signUp.email}!` };
}

export default function SignUp({ loaderData, actionData }) {
  const [client] = useState(() => createPosternClient(loaderData));
  const field = useEmailField(client);
  return (
    <Form method="post">
      <label>
        Email <input {...field.inputProps} required />
      </label>
      <p {...field.messageProps}>{field.helpText}</p>
      <button {...field.suggestionProps}>{field.acceptText}</button>
      <input {...field.verdictProps} />
      <button type="submit">Sign up</button>
      <p role="status">{actionData?.message}</p>
    </Form>
  );
}
