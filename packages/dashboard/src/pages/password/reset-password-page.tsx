import type { PasswordWasReset, ResetPassword } from '@postern/contract/dashboard';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { linkToken } from '../../api/link-token.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { CheckBox } from '../../components/check-box.tsx';
import { Form } from '../../components/form.tsx';
import { plural } from '../../components/format.ts';
import { MIN_PASSWORD_LENGTH } from '../../components/new-account-form.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { GatePage } from '../../shell/gate-page.tsx';

/** Opened from the mail. Sets the password; the person then signs in with it. */
export function ResetPasswordPage() {
  const [token] = useState(() => linkToken(window.location.hash));
  const state = useQuery({
    queryKey: ['reset-link', token],
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => api('POST /password/check', {}, { body: { token } }),
  });
  const reset = useMutation({
    meta: { quiet: true },
    mutationFn: (fields: Omit<ResetPassword, 'token'>) =>
      api('POST /password/reset', {}, { body: { token, ...fields } }),
  });
  if (reset.isSuccess) return <PasswordIsSet {...reset.data} />;
  if (token === '' || state.data?.open === false) {
    return (
      <GatePage title="This link no longer works">
        <p className="text-soft">
          It was used already, is too old, or is incomplete.{' '}
          <Link to="/forgot-password" className="link">
            Ask for a new one
          </Link>
          .
        </p>
      </GatePage>
    );
  }
  return (
    <GatePage title="Choose a new password" lead="It signs out every session of your account.">
      <NewPasswordForm busy={reset.isPending} error={reset.error} onSubmit={reset.mutate} />
    </GatePage>
  );
}

interface NewPasswordFormProps {
  busy: boolean;
  error: Error | null;
  onSubmit: (fields: Omit<ResetPassword, 'token'>) => void;
}

function NewPasswordForm({ busy, error, onSubmit }: NewPasswordFormProps) {
  const [password, setPassword] = useState('');
  const [revokeTokens, setRevokeTokens] = useState(false);
  return (
    <Form className="grid gap-4" onSubmit={() => onSubmit({ password, revokeTokens })}>
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={MIN_PASSWORD_LENGTH}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. A few words in a row are good.`}
        value={password}
        onChange={setPassword}
      />
      <CheckBox checked={revokeTokens} onChange={setRevokeTokens}>
        Also remove my access tokens. Scripts that use them stop working.
      </CheckBox>
      {error !== null && <Notice kind="bad">{error.message}</Notice>}
      <Button variant="primary" type="submit" busy={busy}>
        Set the password
      </Button>
    </Form>
  );
}

function PasswordIsSet({ tokensLeft }: PasswordWasReset) {
  return (
    <GatePage title="The password is set" lead="Every session of your account was signed out.">
      <div className="grid gap-4">
        {tokensLeft > 0 && (
          <Notice kind="note">{plural(tokensLeft, 'access token')} of your account still work.</Notice>
        )}
        <Link to="/sign-in" className={buttonClass('primary')}>
          Sign in
        </Link>
      </div>
    </GatePage>
  );
}
