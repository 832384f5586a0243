import type { KeyType } from '../keys.ts';

export interface KeyView {
  id: string;
  projectId: string;
  type: KeyType;
  mode: 'live' | 'test';
  name: string;
  hint: string;
  status: 'active' | 'expired' | 'revoked';
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  ageDays: number;
  rotationDue: boolean;
}
export interface KeyLifetime {
  expiresInDays?: number;
}
export interface NewKeyRequest extends KeyLifetime {
  type: KeyType;
  mode?: 'live' | 'test';
  name?: string;
}
export interface NewKeyView extends KeyView {
  /** The secret, this once. */
  key: string;
}
