import { DASHBOARD_API } from '@postern/contract/dashboard';
import { DASHBOARD_ROUTES } from '@postern/contract/dashboard-routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

/** JSON that no form sends: empty values, wrong types, and characters that PostgreSQL cannot store. */
const ODD = [
  ...[
    'null',
    '0.5',
    'true',
    '"\\u0000"',
    '"a\\u0000b"',
    '[[]]',
    '[null]',
    '{"toString":1}',
    '[{"toString":1}]',
  ],
  `"${'x'.repeat(5_000)}"`,
  '['.repeat(20_000) + ']'.repeat(20_000),
];

describe.each(USUAL_BACK_ENDS)('odd input on %s', (backEnd) => {
  let service: TestService;
  let owner: DashboardClient;
  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    owner = await member(service, 'owner');
    await owner.post('/projects', { id: 'shop', name: 'Shop' });
  });
  afterAll(() => service.close());

  it('is refused in every field with a short message', async () => {
    const refuse = async (method: string, path: string, field: string, rest = '') => {
      for (const value of ODD) {
        const answer = await owner.call(method, path, `{${rest}${field}:${value}}`);
        expect(answer.status, `${path} ${field} ${value.slice(0, 30)}`).toBe(400);
        expect(answer.text.length).toBeLessThan(500);
      }
    };
    for (const field of ['name', 'plan', 'rateClient', 'allowedDomains', 'allowList', 'policy'])
      await refuse('PATCH', '/projects/shop', `"${field}"`);
    for (const field of ['relays', 'clientOverrides', 'actions'])
      for (const value of ['null', '5', '[]', '{"toString":1}']) {
        const answer = await owner.call('PATCH', '/projects/shop', `{"policy":{"${field}":${value}}}`);
        expect(answer.status, `${field} ${value}`).toBe(400);
      }
    await refuse('POST', '/projects', '"id"', '"name":"Odd",');
    await refuse('POST', '/projects/shop/keys', '"type"');
    await refuse('POST', '/invites', '"role"');
    await refuse('POST', '/tokens', '"name"');
    await refuse('POST', '/projects/shop/time-machine', '"policy"');
    await refuse('POST', '/projects/shop/playground', '"policy"', '"email":"jane@example.com",');
    await refuse('POST', '/projects/shop/origin-test', '"allowedDomains"', '"origin":"https://a.example",');
  });

  /** Values for each field, most of which its schema does not accept, and names that no body has. */
  it('is refused by every operation with a body, with the name of the field, and is no fault in any', async () => {
    const project = await service.makeProject();
    const webhook = (await owner.post(`/projects/${project.id}/webhooks`, { url: 'https://a.example/' }))
      .json;
    const pathOf = (template: string) =>
      template
        .replace('/projects/:id', `/projects/${project.id}`)
        .replace(':webhookId', webhook.id)
        .replace(':keyId', project.serverKeyId)
        .replace(/:\w+/g, 'unknown');
    const ask = async (name: string, body: string) => {
      const [method = '', template = ''] = name.split(' ');
      return owner.call(method, pathOf(template), body);
    };
    let asked = 0;
    for (const [name, { body, role }] of Object.entries(DASHBOARD_ROUTES)) {
      // Routes for anyone count attempts, which many odd ones would use up.
      if (body === undefined || role === 'anyone') continue;
      for (const field of ['__proto__', 'constructor', 'toString', 'stranger']) {
        const answer = await ask(name, `{"${field}":1}`);
        expect([name, answer.status], answer.text).toEqual([name, 400]);
        expect(answer.json.error, name).toContain(`'${field}'`);
      }
      for (const [field, schema] of Object.entries(body.shape)) {
        for (const value of ODD) {
          const answer = await ask(name, `{"${field}":${value}}`);
          const place = `${name} ${field} ${value.slice(0, 30)} ${answer.text.slice(0, 200)}`;
          // What the schema accepts it leaves to the tables of fields, and to the language of rules.
          if ((schema as z.ZodType).safeParse(JSON.parse(value)).success) {
            expect(answer.status, place).toBeLessThan(500);
            continue;
          }
          asked += 1;
          expect(answer.status, place).toBe(400);
          expect(answer.json.error, place).toContain(field);
          expect(answer.text.length).toBeLessThan(1_000);
        }
      }
    }
    expect(asked).toBeGreaterThan(200);
  });

  it('is refused as an ID or a filter', async () => {
    for (const path of ['/projects/%00', '/projects/shop/validations/%00'])
      expect((await owner.get(path)).status, path).toBe(404);
    for (const path of ['/members/%00', '/tokens/%00', '/invites/%00'])
      expect((await owner.call('DELETE', path)).status, path).toBe(404);
    expect((await owner.post('/keys/%00/revoke')).status).toBe(404);
    for (const thing of ['device', 'person', 'domain', 'mailHost', 'network', 'asn'])
      expect((await owner.get(`/projects/shop/thing?${thing}=%00`)).status, thing).toBe(400);
    for (const filter of ['domain', 'signal', 'device', 'inbox', 'cursor'])
      expect((await owner.get(`/projects/shop/validations?${filter}=%00`)).status, filter).toBe(400);
    expect((await owner.get('/audit?project=%00')).status).toBe(400);
  });

  it('answers HEAD like GET, without the body', async () => {
    for (const path of ['/projects', '/projects/shop/validations.csv']) {
      const answer = await owner.call('HEAD', path);
      expect([answer.status, answer.text], path).toEqual([200, '']);
    }
    const stranger = await service.ask({ method: 'HEAD', path: `${DASHBOARD_API}/projects` });
    expect(stranger.status).toBe(401);
  });
});
