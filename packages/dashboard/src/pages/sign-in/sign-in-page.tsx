import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiFailure, postAuth } from '../../api/client.ts';
import { sessionQuery, setupQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { GatePage } from '../../shell/gate-page.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

export function SignInPage() {
  const { next, ended } = useSearch({ from: '/sign-in' });
  const [secondFactor, setSecondFactor] = useState(false);
  const { data: setup } = useQuery(setupQuery);
  const router = useRouter();
  const queryClient = useQueryClient();
  const enter = () => {
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
    router.history.push(`/dashboard${next ?? '/'}`);
  };

  if (secondFactor) {
    return (
      <GatePage title="Second factor" lead="Enter the six digits that your authenticator app shows.">
        <SecondFactorForm onDone={enter} />
      </GatePage>
    );
  }
  return (
    <GatePage title="Sign in">
      <div className="grid gap-4">
        {setup?.needed === true && (
          <Notice kind="note">
            There is no account yet. Open the set-up link that the service printed when it started.
          </Notice>
        )}
        {ended === 1 && (
          <Notice kind="note">
            Your session has ended. Sign in to go on where you were; what was not saved is gone.
          </Notice>
        )}
        <PasswordForm onDone={enter} onSecondFactor={() => setSecondFactor(true)} />
      </div>
    </GatePage>
  );
}

function PasswordForm({ onDone, onSecondFactor }: { onDone: () => void; onSecondFactor: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    meta: { quiet: true },
    mutationFn: () => postAuth<{ twoFactorRedirect?: boolean }>('/sign-in/email', { email, password }),
    onSuccess: (answer) => (answer?.twoFactorRedirect === true ? onSecondFactor() : onDone()),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={setEmail}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      {signIn.error !== null && <Notice kind="bad">{signInTrouble(signIn.error)}</Notice>}
      <Button variant="primary" type="submit" busy={signIn.isPending}>
        Sign in
      </Button>
      <p className="text-[0.8667rem] text-faint">
        Forgot the password? Whoever runs the service can give you a new one with{' '}
        <code className="font-mono">npx postern user reset-password --email ADDRESS</code>.
      </p>
    </form>
  );
}

function signInTrouble(error: Error): string {
  if (error instanceof ApiFailure && error.status === 401) return 'The address or the password is wrong.';
  return error.message;
}
