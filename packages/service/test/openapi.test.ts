import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/http-client.ts';
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
    (name) => headersOf[name]?.required !== false && headers[name.toLowerCase()] === undefined,
  );
  return [...(validate(json) ? [] : (validate.errors ?? [])), ...missing.map((name) => `no ${name}`)];
}

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
