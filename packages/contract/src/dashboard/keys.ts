import type { KeyType } from '../validate-request.ts';

/** GET /projects/:id/keys, POST /projects/:id/keys (NewKeyRequest), POST /keys/:keyId/regenerate, POST /keys/:keyId/revoke. */
export interface KeyView {
  id: string;
  projectId: string;
  type: KeyType;
  mode: 'live' | 'test';
  name: string;
  hint: string;
  status: 'live' | 'expired' | 'revoked';
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
  ageDays: number;
  rotationDue: boolean;
}
export interface NewKeyRequest {
  type: KeyType;
  mode?: 'live' | 'test';
  name?: string;
  expiresInDays?: number;
}
export interface NewKeyView extends KeyView {
  /** The secret, this once. */
  key: string;
}
