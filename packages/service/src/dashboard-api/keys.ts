import type { KeyView, NewKeyRequest, NewKeyView } from '@postern/contract/dashboard';
import { InvalidInput } from '../administration/administration.ts';
import {
  createKey,
  type IssuedKey,
  type KeyFacts,
  keyFacts,
  listKeys,
  type NewKeyFields,
  regenerateKey,
  revokeKey,
} from '../administration/keys.ts';
import { DAY_MS } from '../model/windows.ts';
import { created, type DashboardRoute, fieldsOf, ok, param } from './route.ts';

export const keyRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/projects/:id/keys',
    access: 'viewer',
    run: async (call) => ok((await listKeys(call.admin, param(call, 'id'))).map(keyView)),
  },
  {
    method: 'POST',
    path: '/projects/:id/keys',
    access: 'admin',
    run: async (call) => {
      const { type, mode, name, expiresInDays } = fieldsOf<NewKeyRequest>(call);
      const issued = await createKey(call.admin, {
        projectId: param(call, 'id'),
        // The use case refuses an unknown type or mode.
        type: type as NewKeyFields['type'],
        mode,
        name: name === '' ? undefined : name,
        expiresInMs: lifetimeOf(expiresInDays),
      });
      return created(issuedView(issued, call.admin.now()));
    },
  },
  {
    method: 'POST',
    path: '/keys/:keyId/regenerate',
    access: 'admin',
    run: async (call) => {
      const { expiresInDays } = fieldsOf<{ expiresInDays: number }>(call);
      const expiresInMs = lifetimeOf(expiresInDays);
      const issued = await regenerateKey(call.admin, param(call, 'keyId'), { expiresInMs });
      return ok(issuedView(issued, call.admin.now()));
    },
  },
  {
    method: 'POST',
    path: '/keys/:keyId/revoke',
    access: 'admin',
    run: async (call) => {
      const key = await revokeKey(call.admin, param(call, 'keyId'));
      return ok(keyView(keyFacts(key, call.admin.now())));
    },
  },
];

function lifetimeOf(days: unknown): number | undefined {
  if (days === undefined || days === null) return undefined;
  if (typeof days !== 'number' || !Number.isSafeInteger(days) || days < 1 || days > 3650)
    throw new InvalidInput('expiresInDays', 'expiresInDays must be a whole number from 1 to 3650.');
  return days * DAY_MS;
}

function issuedView({ key, secret }: IssuedKey, now: number): NewKeyView {
  return { ...keyView(keyFacts(key, now)), key: secret };
}

function keyView({ key, status, ageDays, rotationDue }: KeyFacts): KeyView {
  const { hash: _hash, version: _version, ...fields } = key;
  return { ...fields, status, ageDays, rotationDue };
}
