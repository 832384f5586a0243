import type { KeyView, NewKeyView } from '@postern/contract/dashboard';
import {
  createKey,
  type IssuedKey,
  listKeys,
  type NewKeyFields,
  regenerateKey,
  revokeKey,
} from '../administration/keys.ts';
import { readLifetimeDays } from '../administration/lifetime.ts';
import { type KeyFacts, keyFacts } from '../model/key-facts.ts';
import { created, type DashboardHandlers, ok } from './route.ts';

export const keyRoutes = {
  'GET /projects/:id/keys': async (call) => ok((await listKeys(call.admin, call.params.id)).map(keyView)),
  'POST /projects/:id/keys': async (call) => {
    const { type, mode, name, expiresInDays } = call.fields();
    const issued = await createKey(call.admin, {
      projectId: call.params.id,
      // The use case refuses an unknown type or mode.
      type: type as NewKeyFields['type'],
      mode,
      name: name === '' ? undefined : name,
      expiresInMs: readLifetimeDays(expiresInDays),
    });
    return created(issuedView(issued, call.admin.now()));
  },
  'POST /keys/:keyId/regenerate': async (call) => {
    const { expiresInDays } = call.fields();
    const expiresInMs = readLifetimeDays(expiresInDays);
    const issued = await regenerateKey(call.admin, call.params.keyId, { expiresInMs });
    return ok(issuedView(issued, call.admin.now()));
  },
  'POST /keys/:keyId/revoke': async (call) => {
    const key = await revokeKey(call.admin, call.params.keyId);
    return ok(keyView(keyFacts(key, call.admin.now())));
  },
} satisfies Partial<DashboardHandlers>;

function issuedView({ key, secret }: IssuedKey, now: number): NewKeyView {
  return { ...keyView(keyFacts(key, now)), key: secret };
}

function keyView({ key, status, ageDays, rotationDue }: KeyFacts): KeyView {
  const { hash: _hash, version: _version, ...fields } = key;
  return { ...fields, status, ageDays, rotationDue };
}
