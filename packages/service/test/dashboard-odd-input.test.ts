import { DASHBOARD_API } from '@postern/contract/dashboard';
import { DASHBOARD_ROUTES } from '@postern/contract/dashboard-routes';
import { PROJECT_FIELDS } from '@postern/contract/project-fields';
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
/** Every field of every operation gets some of them in turn, with TEST_SLOW all. */
const TURNS = process.env.TEST_SLOW === '1' ? 1 : 4;

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
    const settings: Record<string, { label?: string }> = PROJECT_FIELDS;
    let asked = 0;
    let turn = 0;
    for (const [name, { body, role }] of Object.entries(DASHBOARD_ROUTES)) {
      if (body === undefined) continue;
      for (const field of ['__proto__', 'constructor', 'toString', 'stranger']) {
        const answer = await ask(name, `{"${field}":1}`);
        expect([name, answer.status], answer.text).toEqual([name, 400]);
        expect(answer.json.error, name).toContain(`'${field}'`);
      }
      for (const [field, schema] of Object.entries(body.shape)) {
        turn += 1;
        for (const value of ODD.filter((_, at) => (at + turn) % TURNS === 0)) {
          const isAccepted = (schema as z.ZodType).safeParse(JSON.parse(value)).success;
          // Routes for anyone count attempts, which many odd ones would use up.
          if (isAccepted && role === 'anyone') continue;
          const answer = await ask(name, `{"${field}":${value}}`);
          const place = `${name} ${field} ${value.slice(0, 30)} ${answer.text.slice(0, 200)}`;
          // What the schema accepts it leaves to the tables of fields, and to the language of rules.
          if (isAccepted) {
            expect(answer.status, place).toBeLessThan(500);
            continue;
          }
          asked += 1;
          expect(answer.status, place).toBe(400);
          const { label = field } = settings[field] ?? {};
          const said = `${answer.json.field}: ${answer.json.error}`;
          expect(said, place).toMatch(new RegExp(`${field}|${label}`, 'i'));
          expect(answer.text.length).toBeLessThan(1_000);
        }
      }
    }
    expect(asked).toBeGreaterThan(200);
  });

  it('is refused with all faults in one answer, whatever finds them', async () => {
    const settings = {
      name: ' ',
      plan: 'gold',
      rateClient: -1,
      allowedDomains: ['*.com', 'a/b'],
      blockList: [{ value: 'example.com' }, { value: '!' }],
      policy: { relays: 'block', spam: 1, messages: { de: { mx: '<b>' } } },
      namedLists: { Bad: [], bad: [{ value: '!', expiresAt: 'x' }] },
      rules: [
        { id: 'a', name: 'A', when: 'ip.asn ==', then: 'flag' },
        { id: 'b', name: '', when: 'true', then: 'maybe' },
      ],
      expected: { policy: 5 },
      reason: 7,
      stranger: 1,
    };
    const { status, json } = await owner.call('PATCH', '/projects/shop', settings);
    expect([status, json.field]).toEqual([400, 'spam']);
    for (const part of [
      "Unknown field: 'stranger'",
      'A project’s name has 1 to 100 characters.',
      "Plan 'gold' is not known.",
      'Client key rate must be a whole number',
      '*.com would let in anyone',
      "'a/b' is not an allowed-domain pattern.",
      "Always block: '!' is not an address",
      "Privacy relays 'block' is not known.",
      "Policy field 'spam' is not known.",
      'policy.messages.de.mx must be plain text',
      "List Bad: 'Bad' is not a list’s name.",
      'List bad: 0.expiresAt must be a time in milliseconds since 1970.',
      'Rule 1 (a): Line 1, column 10: ',
      'Rule 2 (b): name must be one line',
      "Rule 2 (b): then 'maybe' is not known.",
      'expected.policy must be an object.',
      'reason must be one line',
    ])
      expect(json.error).toContain(part);
    const hook = await owner.post('/projects/shop/webhooks', { url: 'nowhere', events: ['x'], name: '' });
    expect(hook.json.error).toMatch(
      /name must be one line.*events.0 'x' is not known.*'nowhere' is not an http/,
    );
    const made = await owner.post('/projects', {
      id: 'a b',
      name: '',
      plan: 'gold',
      allowedDomains: ['a/b'],
    });
    expect(made.json.error).toMatch(/name must be .*'a b' is not a project ID.*Plan 'gold'.*'a\/b' is not/);
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

  it('is refused by what only backends call, with the name of the field', async () => {
    const project = await service.makeProject();
    const ask = async (path: string, body: string) => {
      const answer = await service.ask({
        method: 'POST',
        path,
        headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
        body,
      });
      const place = `${path} ${body.slice(0, 90)} ${answer.text}`;
      expect(answer.status, place).toBeLessThan(500);
      return { ...answer, place };
    };
    const claim = '"claim":"trial","email":"jane@example.com"';
    const fields: [path: string, field: string, before: string, after: string][] = [
      ...['claim', 'fingerprintHash', 'ip', 'claimant', 'dryRun', 'traces'].map(
        (field): [string, string, string, string] => ['/v1/claims', field, `{${claim},`, '}'],
      ),
      ...['kind', 'value'].map((field): [string, string, string, string] => [
        ...(['/v1/claims', `traces[0].${field}`] as const),
        ...([`{${claim},"traces":[{"kind":"card","value":"x",`, '}]}'] as const),
      ]),
      ['/v1/outcomes', 'outcomes', '{', '}'],
      ...['requestId', 'email', 'outcome', 'reason', 'at'].map((field): [string, string, string, string] => [
        ...(['/v1/outcomes', `outcomes[0].${field}`] as const),
        ...(['{"outcomes":[{"email":"jane@example.com","outcome":"bad",', '}]}'] as const),
      ]),
      ['/v1/challenges/none', 'proof', '{', '}'],
    ];
    for (const [path, field, before, after] of fields)
      for (const value of ODD.filter((one) => one.length < 10_000)) {
        const name = field.split('.').at(-1);
        const { status, json, place } = await ask(path, `${before}"${name}":${value}${after}`);
        // Texts may have any character, and `null` is as good as nothing.
        if (status === 400) expect(json.error, place).toContain(name);
        else expect([[200, 404].includes(status), /^(null|")|true/.test(value)], place).toEqual([true, true]);
      }
    for (const path of ['/v1/claims', '/v1/outcomes', '/v1/challenges/none'])
      for (const body of [
        '',
        '{',
        '[]',
        'null',
        '{"__proto__":{"claim":"trial"},"constructor":{"proof":"1"}}',
      ])
        expect((await ask(path, body)).status, `${path} ${body}`).toBe(400);
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
