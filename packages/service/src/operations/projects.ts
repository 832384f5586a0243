import {
  hasRole,
  type OriginTest,
  type ProjectChangeRequest,
  type ProjectView,
} from '@postern/contract/dashboard';
import { OPERATOR_FIELDS, PROJECT_FIELDS } from '@postern/contract/project-fields';
import { matchesOrigin, parseOriginPattern } from '../model/origin-pattern.ts';
import type { Project } from '../model/project.ts';
import { wildcardScope } from '../model/wildcard-scope.ts';
import { monthEnd } from '../model/windows.ts';
import type { MemberRow } from '../store/tables/member-row.ts';
import { withReason } from './administration.ts';
import { patternWarning, tooWide } from './allowed-domains.ts';
import {
  createProject,
  findProject,
  listProjects,
  type ProjectWithUsage,
  projectWithUsage,
  updateProject,
} from './change-project.ts';
import { created, type DashboardCall, type DashboardHandlers, mayRead, ok, Refused } from './operation.ts';

export const projectRoutes = {
  'GET /projects': async (call) => {
    const { admin, member } = call;
    const visible = (await listProjects(admin)).filter(
      ({ project }) => member === undefined || mayRead(member, project.id),
    );
    return ok(visible.map((project) => projectView(project, admin.now())));
  },
  'POST /projects': async (call) => {
    const { id, name, allowedDomains, plan } = call.body;
    return created(await viewOf(call, await createProject(call.admin, { id, name, allowedDomains, plan })));
  },
  'GET /projects/:id': async (call) => ok(await viewOf(call, await findProject(call.admin, call.params.id))),
  'PATCH /projects/:id': async (call) => {
    const { expected, reason, ...patch } = call.body;
    if (call.member !== undefined)
      refuseOwnLimits(call.member, await findProject(call.admin, call.params.id), patch);
    const admin = withReason(call.admin, reason);
    const project = await updateProject(admin, call.params.id, patch, expected);
    return ok(await viewOf(call, project));
  },
  'POST /projects/:id/archive': (call) => archive(call, true),
  'POST /projects/:id/restore': (call) => archive(call, false),
  'POST /projects/:id/origin-test': async (call) => {
    const project = await findProject(call.admin, call.params.id);
    const { origin, allowedDomains = project.allowedDomains } = call.body;
    return ok(testOrigin(origin.trim(), allowedDomains));
  },
} satisfies Partial<DashboardHandlers>;

async function archive(call: DashboardCall<'id'>, archived: boolean) {
  return ok(await viewOf(call, await updateProject(call.admin, call.params.id, { archived })));
}

/** They keep strangers from using up the project. An admin of the project adjusts them, and cannot switch them off. */
const PROTECTIONS = ['visitorRate', 'serverReserve'] as const;
const LOOSEST = {
  visitorRate: 10 * PROJECT_FIELDS.visitorRate.default,
  serverReserve: Number.POSITIVE_INFINITY,
};

function refuseOwnLimits({ role }: MemberRow, project: Project, patch: Partial<ProjectChangeRequest>): void {
  if (hasRole(role, 'admin')) return;
  const field = OPERATOR_FIELDS.find((name) => patch[name] !== undefined);
  if (field !== undefined)
    throw new Refused(403, `${PROJECT_FIELDS[field].label} is set by an admin of all projects.`);
  const off = PROTECTIONS.find((name) => {
    const wanted = patch[name];
    if (typeof wanted !== 'number' || wanted === project[name]) return false;
    return wanted === 0 || wanted > LOOSEST[name];
  });
  if (off !== undefined)
    throw new Refused(
      403,
      off === 'visitorRate'
        ? `Visitor rate: only an admin of all projects switches it off or sets it above ${LOOSEST.visitorRate}.`
        : 'Reserve for server keys: only an admin of all projects switches it off.',
    );
}

function testOrigin(origin: string, allowedDomains: readonly string[]): OriginTest {
  const invalid: OriginTest['invalid'] = [];
  const warnings: OriginTest['warnings'] = [];
  let matchedBy: string | null = null;
  for (const pattern of allowedDomains) {
    const parsed = parseOriginPattern(pattern);
    if (parsed === undefined) {
      invalid.push({
        pattern,
        error:
          'Not a pattern. Write example.com, *.example.com, localhost:3000, localhost:*, app://com.example.app, or https:// in front to pin the scheme.',
      });
      continue;
    }
    const warning = patternWarning(pattern);
    if (warning !== undefined) warnings.push({ pattern, warning });
    if (wildcardScope(parsed) === 'anybody') invalid.push({ pattern, error: tooWide(parsed) });
    // An old list with a pattern that is now refused still allows the origin.
    if (matchedBy === null && matchesOrigin(origin, [parsed])) matchedBy = pattern;
  }
  return { allowed: matchedBy !== null, matchedBy, invalid, warnings };
}

async function viewOf(call: DashboardCall, project: Project): Promise<ProjectView> {
  return projectView(await projectWithUsage(call.admin, project), call.admin.now());
}

function projectView({ project, quotaLimit, quotaUsed }: ProjectWithUsage, now: number): ProjectView {
  const { version: _version, ...fields } = project;
  return {
    ...fields,
    allowedDomains: [...project.allowedDomains],
    allowList: [...project.allowList],
    blockList: [...project.blockList],
    quota: { limit: quotaLimit, used: quotaUsed, resetAt: monthEnd(now) },
  };
}
