import type { MemberRole } from '@postern/contract/dashboard';
import {
  type Database,
  hasChanged,
  integer,
  lockName,
  type Row,
  type Statement,
  statement,
  text,
} from '../database.ts';
import { tableOf } from '../table-of.ts';
import type { Condition } from './condition.ts';
import { type Access, projectRoles } from './member-row.ts';

export const ACCOUNT_LINK = tableOf('account_link', {
  id: text,
  kind: text<'setup' | 'invite'>,
  hash: text,
  role: text<MemberRole>,
  createdAt: integer,
  expiresAt: integer,
  projectRoles,
});

export interface NewLink extends Access {
  readonly id: string;
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type LinkRow = Omit<NewLink, 'hash'>;

/** The set-up link and invitations. */
export function accountLinkStore(database: Database) {
  return {
    /**
     * The ID of the set-up link that is valid at this time: an earlier one that has not expired, or else this one. All
     * processes get the same. `undefined` once somebody is a member.
     */
    async offerSetup(link: NewLink): Promise<string | undefined> {
      // Processes that start for the first time at once create one link.
      const results = await database.write([
        lockName('setup-link'),
        statement(
          `DELETE FROM account_link WHERE kind = 'setup'
           AND (expires_at <= ? OR EXISTS (SELECT 1 FROM member))`,
          link.createdAt,
        ),
        insertion('setup', link, {
          sql: "NOT EXISTS (SELECT 1 FROM member) AND NOT EXISTS (SELECT 1 FROM account_link WHERE kind = 'setup')",
          values: [],
        }),
        statement("SELECT id FROM account_link WHERE kind = 'setup'"),
      ]);
      const [valid] = results[3] ?? [];
      return valid && text(valid, 'id');
    },
    async invite(link: NewLink): Promise<void> {
      await database.write([insertion('invite', link)]);
    },
    async invites(now: number): Promise<LinkRow[]> {
      const rows = await database.read(
        statement(
          `SELECT ${ACCOUNT_LINK.list} FROM account_link
           WHERE kind = 'invite' AND expires_at > ? ORDER BY created_at, id`,
          now,
        ),
      );
      return rows.map(toLink);
    },
    /** Whether the invitation with that hash can still be used. */
    async isInvited(hash: string, now: number): Promise<boolean> {
      const rows = await database.read(
        statement(
          "SELECT id FROM account_link WHERE kind = 'invite' AND hash = ? AND expires_at > ?",
          hash,
          now,
        ),
      );
      return rows.length > 0;
    },
    async withdrawInvite(id: string): Promise<boolean> {
      return hasChanged(
        database,
        statement("DELETE FROM account_link WHERE kind = 'invite' AND id = ? RETURNING id", id),
      );
    },
  };
}

function insertion(kind: 'setup' | 'invite', { projects, ...link }: NewLink, when?: Condition): Statement {
  return ACCOUNT_LINK.insert({ ...link, kind, projectRoles: projects }, when && { when });
}

function toLink(row: Row): LinkRow {
  const { id, role, projectRoles: projects, createdAt, expiresAt } = ACCOUNT_LINK.fromRow(row);
  return { id, role, projects, createdAt, expiresAt };
}
