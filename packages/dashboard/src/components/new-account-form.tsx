import { type FormEvent, useState } from 'react';
import { ApiFailure } from '../api/client.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Notice } from './notice.tsx';

export interface NewAccount {
  name: string;
  email: string;
  password: string;
}

interface NewAccountFormProps {
  action: string;
  busy: boolean;
  error: Error | null;
  onSubmit: (account: NewAccount) => void;
}

export const MIN_PASSWORD_LENGTH = 10;

/** Name, address, password: the first account and every invited one are made alike. */
export function NewAccountForm({ action, busy, error, onSubmit }: NewAccountFormProps) {
  const [account, setAccount] = useState<NewAccount>({ name: '', email: '', password: '' });
  const field = error instanceof ApiFailure ? error.field : undefined;
  const errorOf = (name: string) => (field === name ? error?.message : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(account);
  };
  const set = (name: keyof NewAccount) => (event: { target: { value: string } }) =>
    setAccount({ ...account, [name]: event.target.value });
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Field label="Your name" error={errorOf('name')}>
        {(props) => (
          <input
            {...props}
            className="control"
            autoComplete="name"
            required
            value={account.name}
            onChange={set('name')}
          />
        )}
      </Field>
      <Field label="Email" error={errorOf('email')}>
        {(props) => (
          <input
            {...props}
            className="control"
            type="email"
            autoComplete="username"
            required
            value={account.email}
            onChange={set('email')}
          />
        )}
      </Field>
      <Field
        label="Password"
        error={errorOf('password')}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. A few words in a row are good.`}
      >
        {(props) => (
          <input
            {...props}
            className="control"
            type="password"
            autoComplete="new-password"
            required
            minLength={MIN_PASSWORD_LENGTH}
            value={account.password}
            onChange={set('password')}
          />
        )}
      </Field>
      {error !== null && !['name', 'email', 'password'].includes(field ?? '') && (
        <Notice kind="bad">{error.message}</Notice>
      )}
      <Button look="primary" type="submit" busy={busy}>
        {action}
      </Button>
    </form>
  );
}
