import type { KeyType } from '@postern/contract';

export const KEY_MODES = ['live', 'test'] as const;
export type KeyMode = (typeof KEY_MODES)[number];

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
}
