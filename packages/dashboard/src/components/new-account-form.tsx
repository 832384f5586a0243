import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { Button } from './button.tsx';
import { Form } from './form.tsx';
import { Notice } from './notice.tsx';
import { TextField } from './text-field.tsx';

interface NewAccount {
  name: string;
  email: string;
  password: string;
}

interface NewAccountFormProps {
  action: string;
  send: (account: NewAccount) => Promise<unknown>;
}

export const MIN_PASSWORD_LENGTH = 10;

/** Name, address and password, for the first account and for invited ones. */
export function NewAccountForm({ action, send }: NewAccountFormProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    meta: { quiet: true },
    mutationFn: send,
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
      await navigate({ to: '/', replace: true });
    },
  });
  const [account, setAccount] = useState<NewAccount>({ name: '', email: '', password: '' });
  const about = error instanceof ApiFailure ? error.field : undefined;
  const bind = (name: keyof NewAccount) => ({
    required: true,
    value: account[name],
    onChange: (value: string) => setAccount({ ...account, [name]: value }),
    error: about === name ? error?.message : undefined,
  });
  return (
    <Form className="grid gap-4" onSubmit={() => mutate(account)}>
      <TextField label="Your name" autoComplete="name" {...bind('name')} />
      <TextField label="Email" type="email" autoComplete="username" {...bind('email')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        minLength={MIN_PASSWORD_LENGTH}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. A few words in a row are good.`}
        {...bind('password')}
      />
      {error !== null && !Object.keys(account).includes(about ?? '') && (
        <Notice kind="bad">{error.message}</Notice>
      )}
      <Button variant="primary" type="submit" busy={isPending}>
        {action}
      </Button>
    </Form>
  );
}
