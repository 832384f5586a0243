import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { leave } from '../api/leave.ts';
import { setupQuery } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { CompanyButton } from '../components/company-button.tsx';
import { PasswordForm } from '../components/password-form.tsx';
import { SecondFactorForm } from '../components/second-factor-form.tsx';
import type { RenewSession } from './use-renew-session.ts';

/** Asks for the password, and for the second factor if there is one. */
export function SignInForms({ email, renew }: RenewSession) {
  const [secondFactor, setSecondFactor] = useState(false);

  const { data: setup } = useQuery(setupQuery);
  const onDone = () => void renew().catch(() => undefined);
  return (
    <div className="grid gap-4">
      {setup?.passwords === false ? (
        <p className="text-soft">
          Your session has ended. Sign in again; what you typed on this page is lost.
        </p>
      ) : (
        <p className="text-soft">Sign in again to continue. Nothing on this page is lost.</p>
      )}
      {setup?.passwords === false && setup.company !== null ? (
        <CompanyButton name={setup.company.name} />
      ) : secondFactor ? (
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
