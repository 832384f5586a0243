import { MEMBER_ROLES, type MemberRole, PROJECT_ROLES, type ProjectRole } from '@postern/contract/dashboard';
import type { Access } from '../store/tables/member-row.ts';
import { type Administration, InvalidInput, quoted } from './administration.ts';

const MAX_PROJECTS = 500;

/** A role in all projects, and other roles in selected projects. What is absent stays as in `current`. */
export async function readAccess(
  admin: Pick<Administration, 'store'>,
  { role, projects }: { readonly role?: unknown; readonly projects?: unknown },
  current: Access,
): Promise<Access> {
  const access = {
    role: role === undefined ? current.role : readMemberRole(role),
    projects: projects === undefined ? current.projects : await readProjectRoles(admin, projects),
  };
  if (access.role !== 'owner') return access;
  // An owner has every right everywhere, so that there is always somebody who can change rights.
  if (projects !== undefined && Object.keys(access.projects).length > 0)
    throw new InvalidInput('projects', 'An owner sees all projects. Leave projects out.');
  return { role: 'owner', projects: {} };
}

export function readMemberRole(role: unknown): MemberRole {
  const found = MEMBER_ROLES.find((one) => one === role);
  if (found === undefined)
    throw new InvalidInput(
      'role',
      `Role ${quoted(role)} is not known. Use one of: ${MEMBER_ROLES.join(', ')}.`,
    );
  return found;
}

async function readProjectRoles(
  { store }: Pick<Administration, 'store'>,
  projects: unknown,
): Promise<Record<string, ProjectRole>> {
  if (typeof projects !== 'object' || projects === null || Array.isArray(projects))
    throw new InvalidInput('projects', 'projects must be an object: the role by the project’s ID.');
  const entries = Object.entries(projects);
  if (entries.length > MAX_PROJECTS)
    throw new InvalidInput('projects', `projects can name at most ${MAX_PROJECTS} projects.`);
  const projectIds = new Set((await store.projects.list()).map(({ id }) => id));
  return Object.fromEntries(
    entries.map(([id, role]) => {
      if (!projectIds.has(id)) throw new InvalidInput('projects', `There is no project ${quoted(id)}.`);
      const found = PROJECT_ROLES.find((one) => one === role);
      if (found === undefined)
        throw new InvalidInput(
          'projects',
          `Role ${quoted(role)} is not a role in a project. Use one of: ${PROJECT_ROLES.join(', ')}.`,
        );
      return [id, found];
    }),
  );
}
