import { DAY_MS } from '@postern/contract';
import type { Session, TokenScope } from '@postern/contract/dashboard';
import { hashSecretToken, makeSecretToken } from '../model/secret-token.ts';
import type { AccountMail } from './account-mail.ts';
import { type Administration, InvalidInput, NotFound, quoted, randomId } from './administration.ts';
import { memberView } from './members.ts';
import {
  created,
  type DashboardHandlers,
  type LiveSession,
  mayRead,
  memberOf,
  NO_CONTENT,
  ok,
} from './operation.ts';
import type { Note } from './perform.ts';

export const ACCESS_TOKEN_PREFIX = 'pst_pat_';
const MAX_TOKENS = 100;

/** A member’s own name, sessions and tokens. Members do not see each other’s sessions and tokens. */
export const ownAccountOperations = {
  'PATCH /session': async (call) => {
    const member = memberOf(call);
    const { name } = call.body;
    return {
      write: [call.admin.store.members.rename(member.id, name)],
      note: [{ action: 'member.rename', project: null, detail: { memberId: member.id } }],
      answer: ok(memberView({ ...member, name })),
    };
  },
  'GET /sessions': async (call) => {
    const sessions = await call.admin.store.members.sessions(memberOf(call).id, call.admin.now());
    return ok(
      sessions.map(({ token, activeAt, ...session }) => ({
        ...session,
        current: token === call.session?.token,
        lastActiveAt: activeAt,
      })),
    );
  },
  'DELETE /sessions/:id': async (call) => {
    const { admin, params } = call;
    const { members } = admin.store;
    const own = memberOf(call).id;
    if (!(await members.sessions(own, admin.now())).some(({ id }) => id === params.id))
      throw new NotFound('This session has already ended.');
    return {
      write: [members.sessionEnd(own, params.id)],
      note: [{ action: 'member.sign-out-session', project: null, detail: {} }],
      answer: NO_CONTENT,
    };
  },
  'GET /tokens': async (call) => ok(await call.admin.store.members.tokens(memberOf(call).id)),
  'POST /tokens': async (call) => {
    const { onlyProject = null } = call.body;
    const exists = async (id: string) => (await call.admin.store.projects.find(id)) !== undefined;
    if (onlyProject !== null && !(mayRead(memberOf(call), onlyProject) && (await exists(onlyProject))))
      throw new InvalidInput('onlyProject', `There is no project ${quoted(onlyProject)}.`);
    return newAccessToken(call.admin, memberOf(call).id, call.body);
  },
  'DELETE /tokens/:id': async (call) => {
    const { members } = call.admin.store;
    const own = memberOf(call).id;
    if (!(await members.tokens(own)).some(({ id }) => id === call.params.id))
      throw new NotFound(`You have no access token '${call.params.id}'.`);
    return {
      write: [members.tokenRemoval(own, call.params.id)],
      note: [{ action: 'token.remove', project: null, detail: { tokenId: call.params.id } }],
      answer: NO_CONTENT,
    };
  },
} satisfies Partial<DashboardHandlers>;

export interface SessionParts {
  readonly guard: { readonly csrfToken: (session: LiveSession) => string };
  readonly version: string;
  readonly accountMail: AccountMail;
  /** The operator’s own page about a sign-up, with `{requestId}` in it. */
  readonly adminLink: string | undefined;
  readonly logRetentionDays: number;
}

export const sessionOperations = ({ guard, accountMail, adminLink, ...parts }: SessionParts) =>
  ({
    'GET /session': async (call) => {
      const { session } = call;
      const body: Session = {
        user: memberView(memberOf(call)),
        csrf: session === undefined ? '' : guard.csrfToken(session),
        twoFactorEnabled: session?.twoFactorEnabled ?? false,
        version: parts.version,
        mail: accountMail.sender !== undefined,
        adminLink: adminLink ?? null,
        plans: [...call.admin.plans].map(([name, quota]) => ({ name, quota })),
        logRetentionDays: parts.logRetentionDays,
      };
      return ok(body);
    },
  }) satisfies Partial<DashboardHandlers>;

interface TokenWanted {
  readonly name: string;
  readonly scope?: TokenScope | undefined;
  readonly onlyProject?: string | null | undefined;
  readonly expiresInDays?: number | null | undefined;
}

/** A token for scripts, with the rights of its member or fewer. Its secret is known only at this moment. */
export async function newAccessToken(
  admin: Administration,
  userId: string,
  { name, scope = 'full', onlyProject = null, expiresInDays }: TokenWanted,
) {
  if ((await admin.store.members.tokens(userId)).length >= MAX_TOKENS)
    throw new InvalidInput('name', `A member has at most ${MAX_TOKENS} tokens. Remove one first.`);
  const now = admin.now();
  const secret = makeSecretToken(ACCESS_TOKEN_PREFIX, admin.randomBytes);
  const expiresAt = expiresInDays == null ? null : now + Math.round(expiresInDays * DAY_MS);
  const id = randomId('tok_', 16, admin.randomBytes);
  const token = { id, name, scope, onlyProject, createdAt: now, expiresAt };
  const note: Note = {
    action: 'token.create',
    project: null,
    detail: { tokenId: id, name, scope, onlyProject, expiresAt },
  };
  return {
    write: [admin.store.members.tokenCreation({ ...token, userId, hash: hashSecretToken(secret) })],
    note: [note],
    answer: created({ ...token, lastUsedAt: null, token: secret }),
  };
}
