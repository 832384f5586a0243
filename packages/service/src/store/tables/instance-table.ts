import { randomBytes } from 'node:crypto';
import type { VerdictKey } from '@postern/contract';
import { integer, integerOrNull, json, text } from '../columns.ts';
import { type Database, lockName, type SqlValue, type Statement, statement } from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';

/** The name of the secret behind all keyed hashes. */
export const HASH_SECRET = 'keyed-hash';

export const SECRET = tableOf('secret', { name: text, value: text });

/** Sets the value of that name. `condition`: only where the value before is right. */
export function secretChange(name: string, value: string, condition = '', ...values: SqlValue[]): Statement {
  const suffix = `ON CONFLICT (name) DO UPDATE SET value = excluded.value ${condition}`;
  const { sql, values: row } = SECRET.insert({ name, value }, { suffix });
  return statement(sql, ...row, ...values);
}

export const SIGNING_KEY = tableOf('signing_key', {
  kid: text,
  /** PKCS#8, PEM. */
  privateKey: text,
  publicKey: json<VerdictKey>,
  createdAt: integer,
  /** When it stopped signing; its public half is published for a day longer. */
  retiredAt: integerOrNull,
});

export type SigningKey = RowOf<typeof SIGNING_KEY>;

const SIGNING_KEYS = SIGNING_KEY.select({}, 'ORDER BY created_at DESC, kid');

export type InstanceStore = ReturnType<typeof instanceStore>;

/** The secret behind all keyed hashes. The first caller makes it. */
export function hashSecret(instance: Pick<InstanceStore, 'secret'>): Promise<string> {
  return instance.secret(HASH_SECRET, () => randomBytes(32).toString('base64url'));
}

export function instanceStore(database: Database) {
  return {
    /**
     * The secret of that name; `make` provides it if there is none yet. All processes get the same one, even if many call
     * this at once.
     */
    async secret(name: string, make: () => string): Promise<string> {
      const existing = await SECRET.find(database.read, { name });
      if (existing) return existing.value;
      const [, rows] = await database.write([
        SECRET.insert({ name, value: make() }, { suffix: 'ON CONFLICT (name) DO NOTHING' }),
        SECRET.select({ name }),
      ]);
      const row = rows?.[0];
      if (!row) throw new Error(`The secret ${name} was not stored`);
      return SECRET.fromRow(row).value;
    },
    signingKeys: async (): Promise<SigningKey[]> =>
      (await database.read(SIGNING_KEYS)).map(SIGNING_KEY.fromRow),
    /**
     * Adds a key that signs from now on, unless one is live, so that processes that start for the first time at once create
     * one key together. Returns all keys.
     */
    async firstSigningKey(key: SigningKey): Promise<SigningKey[]> {
      const noneLive = 'NOT EXISTS (SELECT 1 FROM signing_key WHERE retired_at IS NULL)';
      const results = await database.write([
        lockName('signing-key'),
        SIGNING_KEY.insert(key, { when: { sql: noneLive, values: [] } }),
        SIGNING_KEYS,
      ]);
      return (results.at(-1) ?? []).map(SIGNING_KEY.fromRow);
    },
    /** Adds a key that signs from now on, and retires the others. */
    signingKeyRotation: (key: SigningKey): Statement[] => [
      lockName('signing-key'),
      SIGNING_KEY.update({ retiredAt: null }, { retiredAt: key.createdAt }),
      SIGNING_KEY.insert(key),
    ],
    /** Deletes these keys now, instead of a day later. Signatures of a leaked key are then no longer valid. */
    signingKeyRemoval: (kids: readonly string[]): Statement[] =>
      kids.map((kid) => SIGNING_KEY.remove({ kid })),
  };
}
