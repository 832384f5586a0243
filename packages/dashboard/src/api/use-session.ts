import type { Session } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from './queries.ts';

/** The signed-in person. Only for pages behind the sign-in. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (data === undefined || data === null) throw new Error('Nobody is signed in');
  return data;
}

/** What the person’s role allows. The service checks it again. */
export function usePermissions(): { change: boolean; manage: boolean } {
  const { role } = useSession().user;
  return { change: role !== 'viewer', manage: role === 'owner' };
}
