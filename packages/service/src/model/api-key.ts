import type { HookFormat, KeyType } from '@postern/contract';

export const KEY_MODES = ['live', 'test'] as const;
export type KeyMode = (typeof KEY_MODES)[number];

/** A hook is a server key that a sign-in server proves in its own way instead of sending it. */
export interface HookDetails {
  readonly format: HookFormat;
  /** The newest first. */
  readonly secrets: readonly HookSecret[];
}

interface HookSecret {
  /** A hash where that is enough to recognise the secret, else the secret itself, as signatures need it. */
  readonly kept: string;
  /** After a rotation the earlier secret is valid until then. */
  readonly until: number | null;
}

/** What the column `hash` of a hook has. No hash of a secret contains a colon, so no key is taken for a hook. */
export const hookHash = (id: string): string => `hook:${id}`;

export interface ApiKey {
  readonly id: string;
  readonly projectId: string;
  readonly type: KeyType;
  readonly mode: KeyMode;
  readonly name: string;
  /** SHA-256 of the secret, base64url. The secret itself is never stored. */
  readonly hash: string;
  /** The first characters of the secret, so that a person can tell keys apart. */
  readonly hint: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  /** Increases with every change except to `lastUsedAt`. */
  readonly version: number;
  /** `null` for an ordinary key. */
  readonly hook: HookDetails | null;
}
