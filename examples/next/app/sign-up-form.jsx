'use client';

import { createPosternClient, useEmailField } from '@postern/sdk-react';
import { useActionState, useState } from 'react';
import { signUp } from './actions.js';

export function SignUpForm({ settings }) {
  const [postern] = useState(() => createPosternClient(settings));
  const [state, action] = useActionState(signUp, { message: null });
  const field = useEmailField(postern);
  return (
    <form action={action}>
      <label>
        Email <input {...field.inputProps} required />
      </label>
      <p {...field.messageProps}>{field.helpText}</p>
      <button {...field.suggestionProps}>{field.acceptText}</button>
      <input {...field.verdictProps} />
      <button type="submit">Sign up</button>
      <p role="status">{state.message}</p>
    </form>
  );
}
