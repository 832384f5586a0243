import { useState } from 'react';
import { leave } from '../api/leave.ts';
import { Button } from '../components/button.tsx';
import { PasswordForm } from '../components/password-form.tsx';
import { SecondFactorForm } from '../components/second-factor-form.tsx';
import type { RenewSession } from './use-renew-session.ts';

/** Asks for the password, and for the second factor if there is one. */
export function SignInForms({ email, renew }: RenewSession) {
  const [secondFactor, setSecondFactor] = useState(false);
  // If the session cannot be loaded, the dialog stays open for another attempt.
  const onDone = () => void renew().catch(() => undefined);
  return (
    <div className="grid gap-4">
      <p className="text-soft">Sign in again to continue. Nothing on this page is lost.</p>
      {secondFactor ? (
        <SecondFactorForm onDone={onDone} />
      ) : (
        <PasswordForm email={email} onDone={onDone} onSecondFactor={() => setSecondFactor(true)} />
      )}
      <Button variant="quiet" onClick={leave}>
        Sign in as someone else
      </Button>
    </div>
  );
}
