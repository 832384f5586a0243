import type { Session } from '@postern/contract/dashboard';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { api, rememberCsrf } from '../api/client.ts';
import { leave } from '../api/leave.ts';
import { sessionQuery, setupQuery } from '../api/queries.ts';
import { isSessionEnded, onSessionChange, reportSessionRenewed } from '../api/session-ended.ts';
import { Button } from '../components/button.tsx';
import { CompanyButton } from '../components/company-button.tsx';
import { Modal } from '../components/modal.tsx';
import { PasswordForm } from '../components/password-form.tsx';
import { SecondFactorForm } from '../components/second-factor-form.tsx';
import { showToast } from '../components/toasts.tsx';

/** Signs the same person in again on top of the page, so that a half-filled form is not lost. */
export function SignInAgain() {
  const ended = useSyncExternalStore(onSessionChange, isSessionEnded);
  return ended && <SessionEnded />;
}

function SessionEnded() {
  const session = useRenewSession();
  const renew = useRef(session.renew);
  renew.current = session.renew;
  // The person may have signed in again in another tab.
  useEffect(() => {
    const onFocus = () => void renew.current().catch(() => undefined);
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, []);
  return (
    <Modal title="Your session has ended">
      <SignInForms {...session} />
    </Modal>
  );
}

/** Asks for the password, and for the second factor if there is one. */
function SignInForms({ email, renew }: RenewSession) {
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

interface RenewSession {
  /** The address of the person whose session has ended. */
  readonly email: string;
  /** Continues on this page if the same person is signed in again. Rejects while no member is. */
  readonly renew: () => Promise<void>;
}

function useRenewSession(): RenewSession {
  const queryClient = useQueryClient();
  const before = queryClient.getQueryData<Session | null>(sessionQuery.queryKey);
  const renew = async () => {
    const session = await api('GET /session');
    // A different person must not see this page.
    if (before && session.user.id !== before.user.id) {
      window.location.assign('/dashboard/');
      return;
    }
    rememberCsrf(session.csrf);
    queryClient.setQueryData(sessionQuery.queryKey, session);
    if (reportSessionRenewed())
      showToast('You are signed in again. Your last change was not saved: please send it once more.', true);
    await queryClient.invalidateQueries();
  };
  return { email: before?.user.email ?? '', renew };
}
