import { hasRole, type MemberRole, type Role, roleIn } from '@postern/contract/dashboard';
import { type Administration, NotFound, quoted } from '../administration/administration.ts';
import type { MemberRow } from '../store/tables/member-row.ts';
import { type DashboardRoute, Refused } from './route.ts';

type Params = Readonly<Record<string, string>>;

/**
 * Refuses a member whose role does not allow the route. A route below `/projects/:id`, or with an ID that belongs to a
 * project, needs the role in that project. Other routes need the role in all projects. A project that the member may not
 * see gives the same 404 as an unknown ID, and so does everything in it.
 */
export async function refuseUnlessAllowed(
  route: Pick<DashboardRoute, 'path' | 'access'>,
  member: MemberRow,
  params: Params,
  { store }: Pick<Administration, 'store'>,
): Promise<void> {
  if (route.access === 'anyone' || route.access === 'member') return;
  const [, root = ''] = route.path.split('/');
  const resource = PROJECT_RESOURCES[root];
  if (resource === undefined) return requireRole(member.role, route.access);
  const id = params[resource.param];
  // `/projects` itself has no ID.
  if (id === undefined) return requireRole(member.role, route.access);
  const projectId = await resource.projectOf(store, id);
  const role = projectId === undefined ? member.role : roleIn(member, projectId);
  if (role === 'none') throw new NotFound(`There is no ${resource.name} ${quoted(id)}.`);
  requireRole(role, route.access);
}

export function mayRead(member: MemberRow, projectId: string | null): boolean {
  return (projectId === null ? member.role : roleIn(member, projectId)) !== 'none';
}

function requireRole(role: MemberRole, least: Role): void {
  if (hasRole(role, least)) return;
  throw new Refused(
    403,
    role === 'none'
      ? 'This needs a role in all projects. You only have roles in some projects.'
      : `This needs the role ${least}; yours is ${role}.`,
  );
}

interface ProjectResource {
  readonly name: string;
  readonly param: string;
  /** The project that an ID belongs to. `undefined` if it is unknown. */
  readonly projectOf: (store: Administration['store'], id: string) => Promise<string | undefined>;
}

/** What belongs to a project, by the first part of the path. */
const PROJECT_RESOURCES: Readonly<Record<string, ProjectResource>> = {
  projects: { name: 'project', param: 'id', projectOf: async (_store, id) => id },
  keys: {
    name: 'key',
    param: 'keyId',
    projectOf: async (store, id) => (await store.keys.find(id))?.projectId,
  },
  webhooks: {
    name: 'webhook',
    param: 'webhookId',
    projectOf: async (store, id) => (await store.events.webhooks.find(id))?.projectId,
  },
  deliveries: {
    name: 'delivery',
    param: 'deliveryId',
    projectOf: async (store, id) => (await store.events.deliveries.find(id))?.projectId,
  },
};
