import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { isSessionEnded, onSessionChange } from '../api/session-ended.ts';
import { lazyPart } from '../components/lazy-part.tsx';
import { Notice } from '../components/notice.tsx';
import { type RenewSession, useRenewSession } from './use-renew-session.ts';

const SignInDialog = lazyPart(async () => {
  const [{ SignInForms }, { BaseDialog }] = await Promise.all([
    import('./sign-in-forms.tsx'),
    import('../components/base-dialog.tsx'),
  ]);
  return (session: RenewSession) => (
    <BaseDialog title="Your session has ended">
      <SignInForms {...session} />
    </BaseDialog>
  );
});

/** Signs the same person in again on top of the page, so that a half-filled form is not lost. */
export function SignInAgain() {
  const ended = useSyncExternalStore(onSessionChange, isSessionEnded);
  return ended && <SessionEnded />;
}

export const preloadSignIn = SignInDialog.preload;

function SessionEnded() {
  const session = useRenewSession();
  const [missing, setMissing] = useState(false);
  const renew = useRef(session.renew);
  renew.current = session.renew;
  // The person may have signed in again in another tab.
  useEffect(() => {
    const onFocus = () => void renew.current().catch(() => undefined);
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, []);
  return missing ? <SignInElsewhere /> : <SignInDialog {...session} onMissing={() => setMissing(true)} />;
}

/** If the dialog cannot be loaded, because the service was updated meanwhile. */
function SignInElsewhere() {
  return (
    <div className="fixed inset-x-4 bottom-4 z-50 mx-auto max-w-xl rounded-lg bg-surface shadow-pop">
      <Notice kind="bad">
        Your session has ended.{' '}
        <a href="/dashboard/sign-in" target="_blank" rel="noreferrer" className="link">
          Sign in again in a new tab
        </a>
        , then come back to this one. Nothing on this page is lost.
      </Notice>
    </div>
  );
}
