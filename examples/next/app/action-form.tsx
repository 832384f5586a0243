'use client';

import { createPosternClient, type PosternClientOptions } from 'postern~sdk';
import { usePostern } from 'postern~sdk/react';
import { useActionState, useState } from 'react';
import { signUp } from './actions';

export function ActionForm({ settings }: { settings: PosternClientOptions }) {
  const [client] = useState(() => createPosternClient(settings));
  const { ref } = usePostern(client);
  const [answer, action] = useActionState(signUp, { message: '' });
  return (
    <form ref={ref} action={action}>
      <label>
        Email <input name="email" type="email" required />
      </label>
      <button type="submit">Sign up</button>
      <p role="status">{answer.message}</p>
    </form>
  );
}
