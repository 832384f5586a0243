import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyType } from '@postern/contract';
import type { KeyMode } from './api-key.ts';

/**
 * A key’s secret: a prefix that tells its type and mode, 30 random characters (178 bits) and a checksum of six.
 * Scanners find leaked keys by the prefix, and a mistyped key is refused by the checksum without asking the store.
 */
const PREFIXES: Readonly<Record<KeyType, Readonly<Record<KeyMode, string>>>> = {
  client: { live: 'pst_client_live_', test: 'pst_client_test_' },
  server: { live: 'pst_server_live_', test: 'pst_server_test_' },
};
const PREFIX_LENGTH = 16;
const BODY_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SECRET_LENGTH = PREFIX_LENGTH + BODY_LENGTH + CHECKSUM_LENGTH;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface KeyKind {
  readonly type: KeyType;
  readonly mode: KeyMode;
}

const KINDS: ReadonlyMap<string, KeyKind> = new Map(
  (['client', 'server'] as const).flatMap((type) =>
    (['live', 'test'] as const).map((mode): [string, KeyKind] => [PREFIXES[type][mode], { type, mode }]),
  ),
);

export function makeKeySecret(
  type: KeyType,
  mode: KeyMode,
  randomBytes: (size: number) => Uint8Array,
): string {
  let text = PREFIXES[type][mode];
  while (text.length < PREFIX_LENGTH + BODY_LENGTH) {
    for (const byte of randomBytes(BODY_LENGTH)) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour the first characters.
      if (byte < 248 && text.length < PREFIX_LENGTH + BODY_LENGTH) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text + checksum(text);
}

/** What the secret says of itself, or nothing when it is not one of ours or was mistyped. */
export function readKeySecret(secret: string): KeyKind | undefined {
  if (secret.length !== SECRET_LENGTH) return undefined;
  const kind = KINDS.get(secret.slice(0, PREFIX_LENGTH));
  if (kind === undefined) return undefined;
  return secret.endsWith(checksum(secret.slice(0, -CHECKSUM_LENGTH))) ? kind : undefined;
}

/** How the store knows the key. The secret has 178 random bits, so a plain hash cannot be searched. */
export function hashKeySecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Enough of the secret for a person to tell two keys apart, and of no other use. */
export function keyHint(secret: string): string {
  return `${secret.slice(0, PREFIX_LENGTH + 4)}…`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
