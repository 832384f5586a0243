import type { Session } from '@postern/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { api, rememberCsrf } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { reportSessionRenewed } from '../api/session-ended.ts';
import { showToast } from '../components/toasts.tsx';

export interface RenewSession {
  /** The address of the person whose session has ended. */
  readonly email: string;
  /** Continues on this page if the same person is signed in again. Rejects while no member is. */
  readonly renew: () => Promise<void>;
}

export function useRenewSession(): RenewSession {
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
