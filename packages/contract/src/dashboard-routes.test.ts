import { expect, it } from 'vitest';
import { json, routes } from './dashboard/route.ts';
import { DASHBOARD_ROUTES } from './dashboard-routes.ts';

const facts = { role: 'admin', answer: json<string>(), what: '' } as const;

it('says of every route outside a project what it belongs to', () => {
  for (const [name, { of, role }] of Object.entries(DASHBOARD_ROUTES)) {
    if (name.includes(' /projects/:id')) expect(of, name).toBeUndefined();
    else expect(['key', 'webhook', 'account', 'service'], name).toContain(of);
    if (/:(keyId|webhookId)|\/projects\/:id/.test(name))
      expect(['viewer', 'analyst', 'admin'], name).toContain(role);
  }
});

/** `npm run types` fails if one of these compiles. */
it('does not compile without that', () => {
  routes({ 'GET /projects/:id/reports': facts });
  routes({ 'GET /keys/:keyId/reports': { ...facts, of: 'key' } });
  routes({ 'GET /reports/:reportId': { ...facts, of: 'service' } });
  // @ts-expect-error: it has to say `of`.
  routes({ 'GET /reports/:reportId': facts });
  // @ts-expect-error: a key belongs to a project.
  routes({ 'GET /keys/:keyId/reports': { ...facts, of: 'service' } });
  // @ts-expect-error: nothing here names a key.
  routes({ 'GET /reports': { ...facts, of: 'key' } });
  // @ts-expect-error: everybody with an account could read any project.
  routes({ 'GET /projects/:id/reports': { ...facts, role: 'member' } });
  // @ts-expect-error: no such method.
  routes({ 'PUT /projects/:id/reports': facts });
});

it('has a strict schema for every body, so that a misspelt field is not ignored', () => {
  for (const [name, { body }] of Object.entries(DASHBOARD_ROUTES))
    if (body !== undefined) expect(body.safeParse({ constructor: 1 }).success, name).toBe(false);
});
