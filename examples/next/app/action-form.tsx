'use client';

import { createPosternClient, EmailField, type PosternClientOptions } from '@postern/sdk-react';
import { useActionState, useState } from 'react';
import { signUp } from './actions';

export function ActionForm({ settings }: { settings: PosternClientOptions }) {
  const [postern] = useState(() => createPosternClient(settings));
  const [answer, action] = useActionState(signUp, { message: '' });
  return (
    <form action={action}>
      <EmailField client={postern} label="Email" />
      <button type="submit">Sign up</button>
      <p role="status">{answer.message}</p>
    </form>
  );
}
