import { checkRequest } from '@postern/sdk-node';
import { createPosternClient, useEmailField } from '@postern/sdk-react';
import { useState } from 'react';
import { data, Form, useActionData, useLoaderData } from 'react-router';
import { postern } from '../postern.server';

export const loader = () => ({
  baseUrl: process.env.POSTERN_URL ?? '',
  projectId: process.env.POSTERN_PROJECT_ID ?? '',
  apiKey: process.env.POSTERN_CLIENT_KEY ?? '',
});

export async function action({ request }) {
  const checked = await checkRequest(postern, request);
  if (!checked.accepted)
    return data({ message: checked.refusal.message }, { status: checked.refusal.status });
  return { message: `Welcome, ${checked.signUp.email}!` };
}

export default function SignUp() {
  const settings = useLoaderData();
  const answer = useActionData();
  const [client] = useState(() => createPosternClient(settings));
  const email = useEmailField(client);
  return (
    <Form method="post">
      <label>
        Email <input required {...email.inputProps} />
      </label>
      <p {...email.messageProps}>{email.helpText}</p>
      <button {...email.suggestionProps}>{email.acceptText}</button>
      <input {...email.verdictProps} />
      <button type="submit">Sign up</button>
      <p role="status">{answer?.message}</p>
    </Form>
  );
}
