import { useEffect, useRef, useSyncExternalStore } from 'react';
import { isSessionEnded, onSessionChange } from '../api/session-ended.ts';
import { Modal } from '../components/modal.tsx';
import { SignInForms } from './sign-in-forms.tsx';
import { useRenewSession } from './use-renew-session.ts';

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
