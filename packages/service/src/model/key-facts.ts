import { DAY_MS, KEY_ROTATION_DAYS } from '@postern/contract';
import type { ApiKey } from './api-key.ts';

export interface KeyFacts {
  readonly key: ApiKey;
  readonly status: 'active' | 'expired' | 'revoked';
  /** Whole days since the secret was made. */
  readonly ageDays: number;
  /** An active key whose secret is at least `KEY_ROTATION_DAYS` old. */
  readonly rotationDue: boolean;
}

export function keyFacts(key: ApiKey, now: number): KeyFacts {
  const status = statusOf(key, now);
  const ageDays = Math.max(0, Math.floor((now - key.createdAt) / DAY_MS));
  return { key, status, ageDays, rotationDue: status === 'active' && ageDays >= KEY_ROTATION_DAYS };
}

function statusOf(key: ApiKey, now: number): KeyFacts['status'] {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}
