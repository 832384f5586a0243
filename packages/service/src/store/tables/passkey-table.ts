import type { PasskeyView } from '@postern/contract/dashboard';
import {
  type Database,
  integer,
  type Row,
  type Statement,
  statement,
  text,
  textOrNull,
} from '../database.ts';

/** The library adds passkeys and signs in with them. These are the operations for lists of them. */
export function passkeyStore(database: Database) {
  return {
    async passkeys(userId: string): Promise<PasskeyView[]> {
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
    passkeyRename: (userId: string, id: string, name: string): Statement =>
      statement('UPDATE auth_passkey SET name = ? WHERE "userId" = ? AND id = ?', name, userId, id),
    passkeyRemoval: (userId: string, id: string): Statement =>
      statement('DELETE FROM auth_passkey WHERE "userId" = ? AND id = ?', userId, id),
  };
}

function toPasskey(row: Row): PasskeyView {
  return {
    id: text(row, 'id'),
    name: textOrNull(row, 'name') ?? 'Passkey',
    createdAt: Date.parse(textOrNull(row, 'created_at') ?? '') || 0,
    synced: integer(row, 'synced') === 1,
  };
}
