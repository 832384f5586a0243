import { type Database, integer, lockName, type Row, statement, text } from '../database.ts';
import { type Access, accessOf, projectRolesText } from './member-row.ts';

export interface NewLink extends Access {
  readonly id: string;
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type LinkRow = Omit<NewLink, 'hash'>;

const COLUMNS = 'id, kind, hash, role, project_roles, created_at, expires_at';

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
        statement(
          `INSERT INTO account_link (${COLUMNS})
           SELECT CAST(? AS TEXT), 'setup', CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT)
           WHERE NOT EXISTS (SELECT 1 FROM member) AND NOT EXISTS (SELECT 1 FROM account_link WHERE kind = 'setup')`,
          ...valuesOf(link),
        ),
        statement("SELECT id FROM account_link WHERE kind = 'setup'"),
      ]);
      const [valid] = results[3] ?? [];
      return valid && text(valid, 'id');
    },
    async invite(link: NewLink): Promise<void> {
      await database.write([
        statement(
          `INSERT INTO account_link (${COLUMNS}) VALUES (?, 'invite', ?, ?, ?, ?, ?)`,
          ...valuesOf(link),
        ),
      ]);
    },
    async invites(now: number): Promise<LinkRow[]> {
      const rows = await database.read(
        statement(
          `SELECT id, role, project_roles, created_at, expires_at FROM account_link
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
      const [rows] = await database.write([
        statement("DELETE FROM account_link WHERE kind = 'invite' AND id = ? RETURNING id", id),
      ]);
      return (rows?.length ?? 0) > 0;
    },
  };
}

function valuesOf({ id, hash, role, projects, createdAt, expiresAt }: NewLink) {
  return [id, hash, role, projectRolesText(projects), createdAt, expiresAt] as const;
}

function toLink(row: Row): LinkRow {
  return {
    id: text(row, 'id'),
    ...accessOf(row),
    createdAt: integer(row, 'created_at'),
    expiresAt: integer(row, 'expires_at'),
  };
}
