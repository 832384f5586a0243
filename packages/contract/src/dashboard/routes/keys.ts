import * as z from 'zod';
import { KEY_TYPES, type KeyType } from '../../keys.ts';
import { lifetimeDays, line } from '../fields.ts';
import { json, routes } from '../route.ts';

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
const KeyLifetime = z.strictObject({ expiresInDays: lifetimeDays });
const NewKey = KeyLifetime.extend({
  type: z.enum(KEY_TYPES),
  mode: z.enum(['live', 'test']).default('live'),
  /** By default its type. */
  name: line(100).optional(),
});
export interface NewKeyView extends KeyView {
  /** The secret, this once. */
  key: string;
}

export const KEY_ROUTES = routes({
  'GET /projects/:id/keys': {
    role: 'viewer',
    answer: json<KeyView[]>(),
    what: 'keys, with age, last use and whether rotation is due',
  },
  'POST /projects/:id/keys': {
    role: 'admin',
    body: NewKey,
    answer: json<NewKeyView>(),
    what: 'the secret is shown once',
  },
  'POST /keys/:keyId/regenerate': {
    role: 'admin',
    of: 'key',
    body: KeyLifetime,
    answer: json<NewKeyView>(),
    what: 'a new secret; the old one stops working with the next request',
  },
  'POST /keys/:keyId/revoke': {
    role: 'admin',
    of: 'key',
    answer: json<KeyView>(),
    what: 'revokes the key permanently',
  },
});
