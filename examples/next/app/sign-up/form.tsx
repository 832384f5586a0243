'use client';

import { createPosternClient, type PosternClientOptions } from 'postern~sdk';
import { usePostern } from 'postern~sdk/react';
import { useState } from 'react';

export function SignUpForm({ settings }: { settings: PosternClientOptions }) {
  const [client] = useState(() => createPosternClient(settings));
  const { ref } = usePostern(client);
  return (
    <form ref={ref} method="post" action="/api/sign-up">
      <label>
        Email <input name="email" type="email" required />
      </label>
      <button type="submit">Sign up</button>
    </form>
  );
}
