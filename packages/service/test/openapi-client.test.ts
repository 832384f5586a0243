import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openApiDocument } from '@postern/contract/openapi';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;

/** What a developer writes who generates types from `/openapi.json`. */
const CLIENT = `
import type { components, operations, paths } from './postern.d.ts';

type Schemas = components['schemas'];
type Answer = operations['validate']['responses'][200]['content']['application/json'];
type Refusal = paths['/validate']['post']['responses'][402]['content']['application/json'];

export async function validate(email: string): Promise<Answer | Refusal> {
  const body: Schemas['ValidateRequest'] = { email, locale: 'de', validations: { mx: 'block', ip: 'flag' } };
  const response = await fetch('/validate', { method: 'POST', body: JSON.stringify(body) });
  return response.json() as Promise<Answer | Refusal>;
}

export function read(answer: Answer, claims: Schemas['VerdictClaims'], keys: Schemas['VerdictKeySet']) {
  const recommendation: 'allow' | 'flag' | 'block' = answer.recommendation;
  const message: string | null = answer.message;
  const signal: string | undefined = answer.signals[0];
  const passed: boolean | undefined = answer.checks.mx?.pass;
  const expires: number = claims.exp;
  const mode: 'live' | 'test' = claims.mode;
  const curve: 'Ed25519' | undefined = keys.keys[0]?.crv;
  return { recommendation, message, signal, passed, expires, mode, curve };
}

export const outcomes: Schemas['OutcomesRequest'] = { outcomes: [{ email: 'jane@example.com', outcome: 'good' }] };
export const resetAt = (refusal: Refusal): string => refusal.resetAt;

// @ts-expect-error An address is required.
export const empty: Schemas['ValidateRequest'] = {};
// @ts-expect-error Not an action.
export const wrongAction: Schemas['ValidateRequest'] = { email: 'x', validations: { mx: 'refuse' } };
// @ts-expect-error Not an outcome.
export const wrongOutcome: Schemas['OutcomesRequest'] = { outcomes: [{ outcome: 'fine' }] };
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-client-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('types that openapi-typescript generates from the OpenAPI document', () => {
  it('compile, and refuse what the service refuses', async () => {
    const document = JSON.stringify(openApiDocument('1.2.3'));
    await writeFile(join(folder, 'postern.d.ts'), astToString(await openapiTypescript(document)));
    await writeFile(join(folder, 'client.ts'), CLIENT);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const flags = ['--strict', '--noUncheckedIndexedAccess', '--noEmit', '--allowImportingTsExtensions'];
    const target = ['--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext', '--types', ''];
    const tsc = join(repository, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, ...flags, ...target, 'client.ts'], {
      cwd: folder,
    }).catch((failed: Error & { stdout: string }) => ({ stdout: failed.stdout || failed.message }));
    expect(stdout).toBe('');
  });

  it('leave no enum without a type, and no answer without a schema', () => {
    const untyped: string[] = [];
    const visit = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      if ('enum' in value && !('type' in value)) untyped.push(path);
      if ('schema' in value && JSON.stringify(value.schema) === '{}') untyped.push(path);
      for (const [name, part] of Object.entries(value)) visit(part, `${path}/${name}`);
    };
    visit(openApiDocument('1.2.3'), '');
    expect(untyped).toEqual([]);
  });
});
