import type { Invite, Member, MemberRole, ProjectRole } from '@postern/contract/dashboard';
import type { Log } from '../log.ts';
import { hashSecretToken, makeSecretToken } from '../model/secret-token.ts';
import { StoreConflict } from '../store/store.ts';
import type { LinkRow } from '../store/tables/account-link-table.ts';
import type { Access, MemberRow } from '../store/tables/member-row.ts';
import { type AccountMail, mailInvite, readInvitee } from './account-mail.ts';
import { type Administration, InvalidInput, NotFound, quoted, randomId } from './administration.ts';
import { INVITE_LIFETIME_MS, INVITE_PREFIX } from './links.ts';
import { created, type DashboardHandlers, NO_CONTENT, ok, type RouteCall } from './operation.ts';
import { type Change, type Note, perform } from './perform.ts';

const MAX_PROJECTS = 500;
const LAST_OWNER = 'This is the last owner. Make somebody else an owner first.';

export const memberOperations = {
  'GET /members': async ({ admin }) => ok((await admin.store.members.list()).map(memberView)),
  'PATCH /members/:id': async ({ admin, params, body }) => {
    if (body.role === undefined && body.projects === undefined)
      throw new InvalidInput('role', 'Name a role, or projects with a role in each.');
    const before = await findMember(admin, params.id);
    const wanted = await readAccess(admin, body, before);
    if (wanted.role !== 'owner') await refuseLastOwner(admin, before);
    const invites = wanted.role === 'owner' ? NOTHING_LEFT : await invitesOfOwner(admin, before);
    const detail = { memberId: params.id, ...wanted };
    return {
      write: [...admin.store.members.accessChange(before, wanted), ...invites.write],
      note: [{ action: 'member.role', project: null, detail }, ...invites.note],
      answer: ok(memberView({ ...before, ...wanted })),
    };
  },
  'DELETE /members/:id': async ({ admin, params: { id } }) => {
    const before = await findMember(admin, id);
    await refuseLastOwner(admin, before);
    const invites = await invitesOfOwner(admin, before);
    return {
      write: [...admin.store.members.removal(id), ...invites.write],
      note: [{ action: 'member.remove', project: null, detail: { memberId: id } }, ...invites.note],
      answer: NO_CONTENT,
    };
  },
  'GET /invites': async ({ admin }) => ok((await admin.store.members.invites(admin.now())).map(inviteView)),
  'DELETE /invites/:id': async ({ admin, params: { id } }) => {
    const open = await admin.store.members.invites(admin.now());
    if (!open.some((invite) => invite.id === id)) throw new NotFound(`There is no invitation '${id}'.`);
    return { ...withdrawal(admin, id), answer: NO_CONTENT };
  },
} satisfies Partial<DashboardHandlers>;

export interface InviteParts {
  readonly accountMail: AccountMail;
  readonly log: Log;
}

export const inviteOperations = (parts: InviteParts) =>
  ({ 'POST /invites': (call) => invite(call, parts) }) satisfies Partial<DashboardHandlers>;

async function invite(
  { admin, body: { email, ...asked }, caller }: RouteCall<'POST /invites'>,
  { accountMail, log }: InviteParts,
) {
  const invitee = email === undefined ? undefined : readInvitee(accountMail, email);
  const access = await readAccess(admin, asked, { role: 'none', projects: {} });
  const token = makeSecretToken(INVITE_PREFIX, admin.randomBytes);
  const now = admin.now();
  const link = {
    ...{ id: randomId('inv_', 16, admin.randomBytes), kind: 'invite' as const, userId: null, ...access },
    ...{ createdAt: now, expiresAt: now + INVITE_LIFETIME_MS },
  };
  await perform(admin, async () => ({
    write: [admin.store.members.linkCreation({ ...link, hash: hashSecretToken(token) })],
    note: [{ action: 'invite.create', project: null, detail: { inviteId: link.id, ...access } }],
    answer: undefined,
  }));
  // The token is in the URL fragment, which is never sent to a server or logged.
  const view = { ...inviteView(link), url: `${caller.base}/dashboard/invite#token=${token}` };
  if (invitee === undefined) return created(view);
  try {
    await mailInvite(admin, invitee.sender, { ...link, to: invitee.to, url: view.url });
    return created({ ...view, mail: 'sent' as const });
  } catch (fault) {
    log.warn({ err: fault }, 'could not mail an invitation; the dashboard showed its link instead');
    return created({ ...view, mail: 'failed' as const });
  }
}

const NOTHING_LEFT = { write: [], note: [] };

type Written = Pick<Change<unknown>, 'write' | 'note'>;

/** A former owner may know an invitation link for an owner, so those links are withdrawn. */
async function invitesOfOwner(admin: Administration, { role }: Access): Promise<Written> {
  if (role !== 'owner') return NOTHING_LEFT;
  const open = await admin.store.members.invites(admin.now());
  const withdrawn = open.map(({ id }) => withdrawal(admin, id));
  return {
    write: withdrawn.flatMap(({ write }) => write),
    note: withdrawn.flatMap(({ note }) => note),
  };
}

function withdrawal({ store }: Administration, id: string): Written {
  const note: Note = { action: 'invite.withdraw', project: null, detail: { inviteId: id } };
  return { write: store.members.linkRemoval(id), note: [note] };
}

async function refuseLastOwner({ store }: Administration, { id, role }: MemberRow): Promise<void> {
  if (role !== 'owner') return;
  const members = await store.members.list();
  if (!members.some((one) => one.role === 'owner' && one.id !== id)) throw new StoreConflict(LAST_OWNER);
}

/** A role in all projects, and other roles in selected projects. What is absent stays as in `current`. */
async function readAccess(
  { store }: Administration,
  {
    role,
    projects,
  }: {
    readonly role?: MemberRole | undefined;
    readonly projects?: Readonly<Record<string, ProjectRole>> | undefined;
  },
  current: Access,
): Promise<Access> {
  const named = Object.keys(projects ?? {});
  if (named.length > MAX_PROJECTS)
    throw new InvalidInput('projects', `projects can name at most ${MAX_PROJECTS} projects.`);
  const known = new Set((await store.projects.list()).map(({ id }) => id));
  const unknown = named.find((id) => !known.has(id));
  if (unknown !== undefined) throw new InvalidInput('projects', `There is no project ${quoted(unknown)}.`);
  const access = { role: role ?? current.role, projects: projects ?? current.projects };
  if (access.role !== 'owner') return access;
  // An owner has every right everywhere, so that there is always a member who can change rights.
  if (named.length > 0) throw new InvalidInput('projects', 'An owner sees all projects. Leave projects out.');
  return { role: 'owner', projects: {} };
}

async function findMember({ store }: Administration, id: string): Promise<MemberRow> {
  const member = await store.members.find(id);
  if (member === undefined) throw new NotFound(`There is no member '${id}'.`);
  return member;
}

export function memberView({ joinedAt, activeAt, projects, ...member }: MemberRow): Member {
  return { ...member, projects: { ...projects }, createdAt: joinedAt, lastActiveAt: activeAt };
}

function inviteView({ id, role, projects, createdAt, expiresAt }: LinkRow): Invite {
  return { id, role, projects: { ...projects }, createdAt, expiresAt };
}
