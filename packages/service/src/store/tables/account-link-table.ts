import { type Database, integer, type Row, statement, text } from '../database.ts';
import type { LinkRow, NewLink, PeopleStore } from '../people-store.ts';
import { accessOf, projectRolesText } from './member-columns.ts';

type AccountLinks = Pick<PeopleStore, 'offerSetup' | 'invite' | 'invites' | 'isInvited' | 'withdrawInvite'>;

const COLUMNS = 'id, kind, hash, role, project_roles, created_at, expires_at';

export function accountLinkTable(database: Database): AccountLinks {
  return {
    async offerSetup(link) {
      // The write to a dedicated row makes concurrent calls wait, so that many first starts create only one link.
      const turn = statement(
        `INSERT INTO secret (name, value) VALUES ('setup-link-turn', ?)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        link.id,
      );
      const results = await database.write([
        turn,
        // Links of releases whose tokens cannot be computed again have another kind of ID.
        statement(
          `DELETE FROM account_link WHERE kind = 'setup'
           AND (expires_at <= ? OR id NOT LIKE 'setup-%' OR EXISTS (SELECT 1 FROM member))`,
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
    async invite(link) {
      await database.write([
        statement(
          `INSERT INTO account_link (${COLUMNS}) VALUES (?, 'invite', ?, ?, ?, ?, ?)`,
          ...valuesOf(link),
        ),
      ]);
    },
    async invites(now) {
      const rows = await database.read(
        statement(
          `SELECT id, role, project_roles, created_at, expires_at FROM account_link
           WHERE kind = 'invite' AND expires_at > ? ORDER BY created_at, id`,
          now,
        ),
      );
      return rows.map(toLink);
    },
    async isInvited(hash, now) {
      const rows = await database.read(
        statement(
          "SELECT id FROM account_link WHERE kind = 'invite' AND hash = ? AND expires_at > ?",
          hash,
          now,
        ),
      );
      return rows.length > 0;
    },
    async withdrawInvite(id) {
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
