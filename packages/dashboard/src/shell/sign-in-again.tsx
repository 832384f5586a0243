import type { Session } from '@postern/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { leave } from '../api/leave.ts';
import { sessionQuery } from '../api/queries.ts';
import { isSessionEnded, onSessionChange, reportSessionRenewed } from '../api/session-ended.ts';
import { Button } from '../components/button.tsx';
import { Modal } from '../components/modal.tsx';
import { PasswordForm } from '../components/password-form.tsx';
import { SecondFactorForm } from '../components/second-factor-form.tsx';

/** Signs the same person in again on top of the page, so that a half-filled form is not lost. */
export function SignInAgain() {
  const ended = useSyncExternalStore(onSessionChange, isSessionEnded);
  return ended && <SignInDialog />;
}

function SignInDialog() {
  const [secondFactor, setSecondFactor] = useState(false);
  const queryClient = useQueryClient();
  const before = queryClient.getQueryData<Session | null>(sessionQuery.queryKey);
  const renew = async () => {
    const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    // A different person must not see this page.
    if (session === null || (before && session.user.id !== before.user.id)) {
      window.location.assign('/dashboard/');
      return;
    }
    reportSessionRenewed();
    await queryClient.invalidateQueries();
  };
  return (
    <Modal title="Your session has ended" onClose={() => undefined}>
      <div className="grid gap-4">
        <p className="text-soft">Sign in again to continue. Nothing on this page is lost.</p>
        {secondFactor ? (
          <SecondFactorForm onDone={() => void renew()} />
        ) : (
          <PasswordForm
            email={before?.user.email ?? ''}
            onDone={() => void renew()}
            onSecondFactor={() => setSecondFactor(true)}
          />
        )}
        <Button variant="quiet" onClick={leave}>
          Sign in as someone else
        </Button>
      </div>
    </Modal>
  );
}
