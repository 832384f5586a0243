import { createPosternClient } from 'postern~sdk';
import { usePostern } from 'postern~sdk/react';
import { checkRequest } from 'postern~sdk-node';
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
  const { ref } = usePostern(client);
  return (
    <Form ref={ref} method="post">
      <label>
        Email <input name="email" type="email" required />
      </label>
      <button type="submit">Sign up</button>
      <p role="status">{answer?.message}</p>
    </Form>
  );
}
