import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/http-client.ts';
import { seededRandom } from './support/seeded-random.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;
let ajv: Ajv2020;
let headersOf: Record<string, { required: boolean }>;
type Responses = Record<
  string,
  { headers: Record<string, unknown>; content: { 'application/json': { schema: { $ref: string } } } }
>;
let paths: Record<string, { post: { responses: Responses } }>;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
  const { json: document } = await service.ask({ path: '/openapi.json' });
  ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  ajv.addSchema({ $id: 'openapi', ...document });
  paths = document.paths;
  headersOf = document.components.headers;
});
afterAll(() => service.close());

/** What is wrong with an answer according to the service’s own document. */
function faults({ status, json, headers }: Answer, path = '/validate'): unknown[] {
  const declared = paths[path]?.post.responses[status];
  if (declared === undefined) return [`${status} is not declared`];
  const validate = ajv.compile({ $ref: `openapi${declared.content['application/json'].schema.$ref}` });
  const missing = Object.keys(declared.headers).filter(
    (name) =>
      headersOf[nameOf(declared.headers[name])]?.required !== false &&
      headers[name.toLowerCase()] === undefined,
  );
  const named = Object.keys(declared.headers).map((name) => name.toLowerCase());
  const unnamed = Object.keys(headers).filter((name) => !named.includes(name) && !ORDINARY.test(name));
  return [
    ...(validate(json) ? [] : (validate.errors ?? [])),
    ...missing.map((name) => `no ${name}`),
    ...unnamed.map((name) => `${name} is not declared`),
  ];
}

/** Headers of HTTP itself, which the document does not name. */
const ORDINARY = /^(access-control-.*|cache-control|connection|content-(length|type)|date|keep-alive|vary)$/;
const nameOf = (header: unknown) =>
  String((header as { $ref: string }).$ref)
    .split('/')
    .at(-1) ?? '';

describe('the OpenAPI document describes the answers', () => {
  it.each([
    { email: 'jane.doe@gmail.com' },
    { email: 'jane.doe+x@gmail.com', ip: '185.220.101.1', fingerprintHash: 'f1' },
    { email: 'admin@mail-house.net', ip: '2a00:1450::1', fingerprintHash: 'f1' },
    { email: 'x@mailinator.com', ip: '10.0.0.1', fingerprintHash: 'f1' },
    { email: '"quoted"@gmial.com', fingerprintHash: 'f1' },
    { email: 'someone@no-such-domain-here.com', validations: { mx: 'flag' } },
  ])('200 for %j', async (body) => {
    const answer = await project.validate(body);
    expect(answer.status).toBe(200);
    expect(faults(answer)).toEqual([]);
  });

  it('and every metadata field of every check', async () => {
    const { json: document } = await service.ask({ path: '/openapi.json' });
    const known = (check: string) => {
      const name = `${check.charAt(0).toUpperCase()}${check.slice(1)}Result`;
      return Object.keys(document.components.schemas[name].allOf[1].properties.metadata.properties);
    };
    for (const email of ['jane.doe+x@gmail.com', 'a@mailinator.com', 'info@gmial.com']) {
      const { json } = await project.validate({ email, ip: '8.8.8.8', fingerprintHash: 'f2' });
      for (const [check, result] of Object.entries<{ metadata?: object }>(json.checks)) {
        expect(known(check), check).toEqual(expect.arrayContaining(Object.keys(result.metadata ?? {})));
      }
    }
  });

  it('to reported outcomes', async () => {
    const { headers } = await project.validate({ email: 'jane.doe@gmail.com' });
    const report = (body: unknown, key = project.serverKey) =>
      service.ask({
        method: 'POST',
        path: '/v1/outcomes',
        headers: { authorization: `Bearer ${key}`, 'x-project-id': project.id },
        body: JSON.stringify(body),
      });
    const answers = [
      await report({ outcomes: [{ requestId: headers['x-request-id'], outcome: 'good' }] }),
      await report({ outcomes: [{ email: 'nobody@gmail.com', outcome: 'bad', reason: 'spam', at: null }] }),
      await report({ outcomes: [] }),
      await report({}, 'x'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 401]);
    for (const answer of answers) expect(faults(answer, '/v1/outcomes'), answer.text).toEqual([]);
  });

  it('to generated requests, with every header that is sent', async () => {
    const random = seededRandom(7);
    const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const often = <T>(usual: T, ...others: readonly T[]): T => (random() < 0.7 ? usual : one(others));
    const spent = await service.makeProject({ quotaLimit: 3, rateServer: 12, rateClient: 12 });
    const statuses = new Set<number>();
    for (let count = 0; count < 250; count += 1) {
      const { id, serverKey, clientKey } = one([project, spent]);
      const key = one([serverKey, clientKey]);
      const headers = {
        authorization: often(`Bearer ${key}`, 'x', `bearer ${key}`),
        'x-project-id': often(id, 'none', ''),
        ...(key === clientKey ? { origin: often('https://app.example', 'https://other.example') } : {}),
        ...often({}, { 'idempotency-key': one(['k1', 'k2', 'two words']) }),
        ...often({}, { 'content-encoding': one(['gzip', 'identity']) }),
        ...often({}, { 'x-request-id': 'mine' }),
      };
      const body = often(
        JSON.stringify({ email: one(['jane.doe@gmail.com', 'x@mailinator.com']) }),
        ...['[]', '{"email":"x"}', '{"email":"a@b.co","ip":"x"}', `"${'x'.repeat(17_000)}"`],
      );
      const method = one([...'123456789'].map((_, at) => (at === 0 ? 'PUT' : 'POST')));
      const path = one(['/validate', '/v1/validate']);
      const answer = await service.ask({ method, path, headers, body });
      statuses.add(answer.status);
      expect([answer.status, faults(answer, path)]).toEqual([answer.status, []]);
    }
    expect([...statuses].sort()).toEqual(
      expect.arrayContaining([200, 400, 401, 402, 403, 405, 413, 415, 422, 429]),
    );
  });

  it('the list of throwaway domains, and that the caller has it', async () => {
    const { json } = await service.ask({ path: '/openapi.json' });
    const { responses } = json.paths['/v1/lists/disposable'].get;
    const path = '/v1/lists/disposable';
    const first = await service.ask({ path });
    const again = await service.ask({ path, headers: { 'if-none-match': first.headers.etag ?? '' } });
    for (const { status, headers } of [first, again]) {
      expect(Object.keys(responses)).toContain(String(status));
      expect([status, Object.keys(responses[status].headers), headers.etag]).toEqual([
        status,
        ['ETag'],
        first.headers.etag,
      ]);
    }
    expect(again.status).toBe(304);
  });

  it('every error has its code as a header, and 401 says how to authenticate', async () => {
    const answers = [
      await project.validate('nonsense'),
      await project.validate({ email: 'nonsense' }),
      await project.validate({ email: 'x' }, { authorization: 'x' }),
      await service.ask({ path: '/no-such-path' }),
    ];
    expect(answers.map(({ headers }) => headers['x-error-code'])).toEqual([
      'BODY_NOT_JSON',
      'EMAIL_MALFORMED',
      'KEY_INVALID',
      'NOT_FOUND',
    ]);
    expect(answers.map(({ headers }) => headers['www-authenticate'])).toEqual([
      undefined,
      undefined,
      'Bearer',
      undefined,
    ]);
    // The document: the body has `error` and nothing else.
    for (const { json } of answers) expect(Object.keys(json)).toEqual(['error']);
  });

  it('the errors', async () => {
    const spent = await service.makeProject({ quotaLimit: 0, rateServer: 1 });
    const answers = [
      await project.validate('nonsense'),
      await project.validate({ email: 'nonsense' }),
      await spent.validate({ email: 'jane.doe@gmail.com' }),
      await spent.validate({ email: 'jane.doe@gmail.com' }),
      await project.validate({ email: 'x' }, { authorization: 'x' }),
      await project.validate({ email: 'x' }, { 'x-project-id': 'other' }),
      await project.validate({ email: 'x'.repeat(20_000) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 402, 429, 401, 403, 413]);
    for (const answer of answers) expect(faults(answer), String(answer.status)).toEqual([]);
  });
});
