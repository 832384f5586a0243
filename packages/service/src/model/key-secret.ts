import { crc32 } from 'node:zlib';
import { KEY_PREFIXES, KEY_TYPES, type KeyType } from '@postern/contract';
import { KEY_MODES, type KeyMode } from './api-key.ts';

/**
 * A key’s secret: a prefix that states its type and mode, 30 random characters (178 bits) and a checksum of six. A
 * mistyped key is refused by the checksum without asking the store.
 */
const prefixOf = (type: KeyType, mode: KeyMode): string => `${KEY_PREFIXES[type]}${mode}_`;
const BODY_LENGTH = 30;
const CHECKSUM_LENGTH = 6;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface KeyKind {
  readonly type: KeyType;
  readonly mode: KeyMode;
}

const KINDS: ReadonlyMap<string, KeyKind> = new Map(
  KEY_TYPES.flatMap((type) =>
    KEY_MODES.map((mode): [string, KeyKind] => [prefixOf(type, mode), { type, mode }]),
  ),
);

export function makeKeySecret(
  type: KeyType,
  mode: KeyMode,
  randomBytes: (size: number) => Uint8Array,
): string {
  let text = prefixOf(type, mode);
  const length = text.length + BODY_LENGTH;
  while (text.length < length) {
    for (const byte of randomBytes(BODY_LENGTH)) {
      // 248 is the largest multiple of 62 that fits in a byte. Larger values would favour the first characters.
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text + checksum(text);
}

/** The type and mode that the secret states, or nothing if it is not one of our keys or has a typo. */
export function readKeySecret(secret: string): KeyKind | undefined {
  const kind = KINDS.get(secret.slice(0, -(BODY_LENGTH + CHECKSUM_LENGTH)));
  if (kind === undefined) return undefined;
  return secret.endsWith(checksum(secret.slice(0, -CHECKSUM_LENGTH))) ? kind : undefined;
}

/** Enough of the secret for a person to tell two keys apart, and too little to use the key. */
export function keyHint(secret: string): string {
  return `${secret.slice(0, 4 - (BODY_LENGTH + CHECKSUM_LENGTH))}…`;
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
