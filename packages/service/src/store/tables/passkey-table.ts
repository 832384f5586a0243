import { type Database, integer, type Row, statement, text, textOrNull } from '../database.ts';
import type { PasskeyRow, PeopleStore } from '../people-store.ts';

type Passkeys = Pick<PeopleStore, 'passkeys' | 'renamePasskey' | 'removePasskey'>;

/** The library adds passkeys and signs in with them. These are the operations for lists of them. */
export function passkeyTable(database: Database): Passkeys {
  const changed = async (sql: string, ...values: string[]) => {
    const [rows] = await database.write([statement(`${sql} RETURNING id`, ...values)]);
    return (rows?.length ?? 0) > 0;
  };
  return {
    async passkeys(userId) {
      const rows = await database.read(
        statement(
          `SELECT id, name, CAST("createdAt" AS TEXT) AS created_at,
             CASE WHEN "backedUp" THEN 1 ELSE 0 END AS synced
           FROM auth_passkey WHERE "userId" = ? ORDER BY "createdAt", id`,
          userId,
        ),
      );
      return rows.map(toPasskey);
    },
    renamePasskey: (userId, id, name) =>
      changed('UPDATE auth_passkey SET name = ? WHERE "userId" = ? AND id = ?', name, userId, id),
    removePasskey: (userId, id) =>
      changed('DELETE FROM auth_passkey WHERE "userId" = ? AND id = ?', userId, id),
  };
}

function toPasskey(row: Row): PasskeyRow {
  return {
    id: text(row, 'id'),
    name: textOrNull(row, 'name') ?? 'Passkey',
    createdAt: Date.parse(textOrNull(row, 'created_at') ?? '') || 0,
    synced: integer(row, 'synced') === 1,
  };
}
