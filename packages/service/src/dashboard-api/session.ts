import type { Member, Session } from '@postern/contract/dashboard';
import type { AccountMail } from '../administration/account-mail.ts';
import { audit } from '../administration/administration.ts';
import { type DashboardHandlers, memberOf, ok } from '../operations/operation.ts';
import type { MemberRow } from '../store/tables/member-row.ts';
import type { Guard } from './guard.ts';

export interface SessionParts {
  readonly guard: Pick<Guard, 'csrfToken'>;
  readonly version: string;
  readonly accountMail: AccountMail;
  /** The host that passkeys belong to. */
  readonly passkeyHost: string;
  /** The operator’s own page about a sign-up, with `{requestId}` in it. */
  readonly adminLink: string | undefined;
  readonly logRetentionDays: number;
}

export function sessionRoutes(parts: SessionParts) {
  const { guard, version, accountMail, passkeyHost, adminLink, logRetentionDays } = parts;
  return {
    'GET /session': async (call) => {
      const { session } = call;
      const body: Session = {
        user: memberView(memberOf(call)),
        csrf: session === undefined ? '' : guard.csrfToken(session),
        twoFactorEnabled: session?.twoFactorEnabled ?? false,
        passkeyHost,
        version,
        mail: accountMail.sender !== undefined,
        adminLink: adminLink ?? null,
        plans: [...call.admin.plans].map(([name, quota]) => ({ name, quota })),
        logRetentionDays,
      };
      return ok(body);
    },
    'PATCH /session': async (call) => {
      const member = memberOf(call);
      const { name } = call.body;
      await call.admin.store.members.rename(member.id, name);
      await audit(call.admin, 'member.rename', null, { memberId: member.id });
      return ok(memberView({ ...member, name }));
    },
  } satisfies Partial<DashboardHandlers>;
}

export function memberView({ joinedAt, activeAt, projects, ...member }: MemberRow): Member {
  return { ...member, projects: { ...projects }, createdAt: joinedAt, lastActiveAt: activeAt };
}
