import { hasRole, type MemberRole, type Role, roleIn } from '@postern/contract/dashboard';
import type { ProjectResource, ProjectResourceParams } from '@postern/contract/dashboard-routes';
import { type Administration, NotFound, quoted } from '../operations/administration.ts';
import { type DashboardRoute, Refused } from '../operations/operation.ts';
import type { TokenRow } from '../store/tables/access-token-table.ts';
import type { Identity } from './guard.ts';

type Params = Readonly<Record<string, string>>;

/**
 * Refuses a member whose role does not allow the route. A route of a project, or of something that belongs to one, needs
 * the role in that project. Other routes need the role in all projects. A project that the member may not see gives the
 * same 404 as an unknown ID, and so does everything in it. An access token may allow less.
 */
export async function refuseUnlessAllowed(
  route: Pick<DashboardRoute, 'method' | 'path' | 'access' | 'of'>,
  { member, token }: Pick<Identity, 'member' | 'token'>,
  params: Params,
  { store }: Pick<Administration, 'store'>,
): Promise<void> {
  const found = projectResource(route);
  const id = found === undefined ? '' : (params[found.param] ?? '');
  const projectId = await found?.projectOf(store, id);
  if (token !== undefined) refuseUnlessInScope(route, token, projectId);
  if (route.access === 'anyone' || route.access === 'member') return;
  if (found === undefined) return requireRole(member.role, route.access);
  const role = projectId === undefined ? member.role : roleIn(member, projectId);
  if (role === 'none') throw new NotFound(`There is no ${found.kind} ${quoted(id)}.`);
  requireRole(role, route.access);
}

/** What is filtered by what the caller may see does not need a project: the lists of projects and changes, and health. */
function refuseUnlessInScope(
  { method, path, access, of }: Pick<DashboardRoute, 'method' | 'path' | 'access' | 'of'>,
  { name, scope, onlyProject }: TokenRow,
  projectId: string | undefined,
): void {
  const filtered = method === 'GET' && access === 'member' && (of === 'service' || path === '/session');
  const elsewhere = onlyProject !== null && projectId !== onlyProject && !filtered;
  if (!elsewhere && (scope === 'full' || method === 'GET')) return;
  const limits = [
    ...(scope === 'read' ? ['read (GET)'] : []),
    ...(onlyProject === null ? [] : [`use project ${quoted(onlyProject)}`]),
  ];
  throw new Refused(
    403,
    `The access token ${quoted(name)} may only ${limits.join(' and ')}. Create another one in the dashboard, under Your account, Personal access tokens.`,
  );
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

/** Finds the project that an ID belongs to. `undefined` if the ID is unknown. */
type FindProject = (store: Administration['store'], id: string) => Promise<string | undefined>;

/** The contract names what belongs to a project, and the parameter with its ID. */
const PROJECT_RESOURCES: {
  readonly [Kind in ProjectResource]: {
    readonly param: ProjectResourceParams[Kind];
    readonly projectOf: FindProject;
  };
} = {
  key: { param: 'keyId', projectOf: async (store, id) => (await store.keys.find(id))?.projectId },
  webhook: {
    param: 'webhookId',
    projectOf: async (store, id) => (await store.events.webhooks.find(id))?.projectId,
  },
};

/** What the route’s ID names, if it belongs to a project. */
function projectResource({ path, of }: Pick<DashboardRoute, 'path' | 'of'>) {
  if (of === 'account' || of === 'service') return undefined;
  if (of !== undefined) return { kind: of, ...PROJECT_RESOURCES[of] };
  // Otherwise a route that forgot to say `of` would only be checked against the role in all projects.
  if (!path.startsWith('/projects/:id')) throw new Error(`${path} does not say what it belongs to`);
  return { kind: 'project', param: 'id', projectOf: async (_store: unknown, id: string) => id };
}
