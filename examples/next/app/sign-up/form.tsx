'use client';

import { createPosternClient, type PosternClientOptions, useEmailField } from '@postern/sdk-react';
import { useState } from 'react';

export function SignUpForm({ settings }: { settings: PosternClientOptions }) {
  const [postern] = useState(() => createPosternClient(settings));
  const email = useEmailField(postern);
  return (
    <form method="post" action="/api/sign-up">
      <label>
        Email <input required {...email.inputProps} />
      </label>
      <p {...email.messageProps}>{email.helpText}</p>
      <button {...email.suggestionProps}>{email.acceptText}</button>
      <input {...email.verdictProps} />
      <button type="submit">Sign up</button>
    </form>
  );
}
