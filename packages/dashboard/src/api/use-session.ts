import { hasRole, roleIn, type Session } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { sessionQuery } from './queries.ts';

/** The signed-in person. Only for pages behind the sign-in. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (data === undefined || data === null) throw new Error('Nobody is signed in');
  return data;
}

interface Permissions {
  /** Review, change the lists, check files. */
  readonly decide: boolean;
  /** Change the project and its keys. */
  readonly change: boolean;
  /** Manage members. */
  readonly manage: boolean;
}

/** What the person’s role allows, in the project of the address bar if there is one. The service checks it again. */
export function usePermissions(): Permissions {
  const { user } = useSession();
  const { projectId } = useParams({ strict: false });
  const role = projectId === undefined ? user.role : roleIn(user, projectId);
  return { decide: hasRole(role, 'analyst'), change: hasRole(role, 'admin'), manage: user.role === 'owner' };
}
