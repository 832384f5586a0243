import type { VerdictKey } from '@postern/contract';
import {
  type Database,
  integer,
  integerOrNull,
  json,
  lockName,
  type Row,
  statement,
  text,
} from '../database.ts';
import type { InstanceStore, SigningKey } from '../store.ts';

const SIGNING_KEY_COLUMNS = 'kid, private_key, public_key, created_at, retired_at';
const SIGNING_KEYS = `SELECT ${SIGNING_KEY_COLUMNS} FROM signing_key ORDER BY created_at DESC, kid`;

export function instanceTable(database: Database): InstanceStore {
  return {
    async secret(name, make) {
      const stored = statement('SELECT value FROM secret WHERE name = ?', name);
      const before = await database.read(stored);
      if (before[0]) return text(before[0], 'value');
      const [, rows] = await database.write([
        statement(
          'INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
          name,
          make(),
        ),
        stored,
      ]);
      const row = rows?.[0];
      if (!row) throw new Error(`The secret ${name} was not kept`);
      return text(row, 'value');
    },
    async signingKeys() {
      const rows = await database.read(statement(SIGNING_KEYS));
      return rows.map(toSigningKey);
    },
    async addSigningKey(key, unlessAny) {
      // Processes that start for the first time at once create one key.
      const insertion = statement(
        `INSERT INTO signing_key (${SIGNING_KEY_COLUMNS}) SELECT ?, ?, ?, CAST(? AS BIGINT), NULL
         WHERE ? = 0 OR NOT EXISTS (SELECT 1 FROM signing_key WHERE retired_at IS NULL)
         ON CONFLICT (kid) DO NOTHING`,
        key.kid,
        key.privateKey,
        JSON.stringify(key.publicKey),
        key.createdAt,
        unlessAny ? 1 : 0,
      );
      const retirement = statement(
        `UPDATE signing_key SET retired_at = ? WHERE retired_at IS NULL AND kid <> ?
         AND EXISTS (SELECT 1 FROM signing_key WHERE kid = ?)`,
        key.createdAt,
        key.kid,
        key.kid,
      );
      const results = await database.write([
        lockName('signing-key'),
        insertion,
        retirement,
        statement(SIGNING_KEYS),
      ]);
      return (results[3] ?? []).map(toSigningKey);
    },
    async removeRetiredSigningKeys() {
      const [rows] = await database.write([
        statement('DELETE FROM signing_key WHERE retired_at IS NOT NULL RETURNING kid'),
      ]);
      return (rows ?? []).map((row) => text(row, 'kid'));
    },
  };
}

function toSigningKey(row: Row): SigningKey {
  return {
    kid: text(row, 'kid'),
    privateKey: text(row, 'private_key'),
    publicKey: json<VerdictKey>(row, 'public_key'),
    createdAt: integer(row, 'created_at'),
    retiredAt: integerOrNull(row, 'retired_at'),
  };
}
