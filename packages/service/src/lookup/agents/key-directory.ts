import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@postern/contract';
import { within } from '../../model/within.ts';

/** Reads an address, and rejects unless it is there, short and in time. */
export type FetchDirectory = (url: string) => Promise<string>;

/** An operator’s keys, by their thumbprints (RFC 7638). */
type Keys = ReadonlyMap<string, KeyObject>;

export interface KeyDirectories {
  /** The operator’s key with that thumbprint. `missing`: the operator has none; `undefined`: that could not be found out in time. */
  readonly find: (origin: string, keyId: string) => Promise<KeyObject | 'missing' | undefined>;
}

interface Directory {
  keys?: Keys;
  askedAt: number;
  /** Whether the operator answered the last time. */
  answered: boolean;
  reading?: Promise<void> | undefined;
}

const PATH = '/.well-known/http-message-signatures-directory';
/** An answer does not wait longer for an operator’s keys; the next one has them. */
const WAIT_MS = 300;
const MAX_KEYS = 100;

/** The operators’ published keys, read again every hour, and at most each minute for a key that is not known. */
export function createKeyDirectories(fetch: FetchDirectory, now: () => number): KeyDirectories {
  const directories = new Map<string, Directory>();
  const read = async (origin: string, directory: Directory) => {
    directory.askedAt = now();
    try {
      directory.keys = readKeys(JSON.parse(await fetch(origin + PATH)));
      directory.answered = true;
    } catch {
      directory.answered = false;
    }
    directory.reading = undefined;
  };
  return {
    find: async (origin, keyId) => {
      const directory = directories.get(origin) ?? { askedAt: -HOUR_MS, answered: false };
      directories.set(origin, directory);
      const age = now() - directory.askedAt;
      if (age >= (directory.keys?.has(keyId) === true ? HOUR_MS : MINUTE_MS))
        directory.reading ??= read(origin, directory);
      if (directory.reading !== undefined && directory.keys?.has(keyId) !== true)
        await within(directory.reading, WAIT_MS, undefined);
      const missing = directory.answered && directory.reading === undefined ? 'missing' : undefined;
      return directory.keys?.get(keyId) ?? missing;
    },
  };
}

function readKeys(document: unknown): Keys {
  const { keys } = document as { readonly keys: readonly { kty?: unknown; crv?: unknown; x?: unknown }[] };
  const read = keys.slice(0, MAX_KEYS).flatMap(({ kty, crv, x }): [string, KeyObject][] => {
    if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return [];
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
    return [[hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url'), key]];
  });
  return new Map(read);
}
