import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure, postAuth } from '../api/client.ts';
import { setupQuery } from '../api/queries.ts';
import { AccountEmailField } from './account-email-field.tsx';
import { Button } from './button.tsx';
import { Form } from './form.tsx';
import { Notice } from './notice.tsx';
import { TextField } from './text-field.tsx';

interface PasswordFormProps {
  /** Filled in where the person is known. */
  email?: string;
  onDone: () => void;
  onSecondFactor: () => void;
}

export function PasswordForm({ email: knownEmail = '', onDone, onSecondFactor }: PasswordFormProps) {
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    meta: { quiet: true },
    mutationFn: () => postAuth<{ twoFactorRedirect?: boolean }>('/sign-in/email', { email, password }),
    onSuccess: (answer) => (answer?.twoFactorRedirect === true ? onSecondFactor() : onDone()),
  });
  return (
    <Form className="grid gap-4" onSubmit={() => signIn.mutate()}>
      <AccountEmailField value={email} onChange={setEmail} />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      {signIn.error !== null && <Notice kind="bad">{signInError(signIn.error)}</Notice>}
      <Button variant="primary" type="submit" busy={signIn.isPending}>
        Sign in
      </Button>
      <ForgotPassword />
    </Form>
  );
}

/** A link by mail if the service can send mail. Otherwise the operator has to help. */
function ForgotPassword() {
  const { data: setup } = useQuery(setupQuery);
  if (setup?.passwordMail === true)
    return (
      <p className="text-[0.8667rem]">
        <Link to="/forgot-password" className="link">
          Forgot your password?
        </Link>
      </p>
    );
  return (
    <p className="text-[0.8667rem] text-faint">
      Forgot your password? The operator of the service can set a new one with{' '}
      <code className="font-mono">npx postern user reset-password --email ADDRESS</code>.
    </p>
  );
}

function signInError(error: Error): string {
  if (error instanceof ApiFailure && error.status === 401) return 'The address or the password is wrong.';
  return error.message;
}
