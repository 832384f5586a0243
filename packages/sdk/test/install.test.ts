import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { SDK_VERSION } from '../src/core/sdk-version.ts';
import { repository } from './support/built-sdks.ts';

const run = promisify(execFile);
let service: TestService;
let project: string;

const NAMES = ['sdk', 'sdk-react-native', 'sdk-node'];

beforeAll(async () => {
  service = await startService();
  project = await mkdtemp(join(tmpdir(), 'postern-consumer-'));
  await writeFile(join(project, 'package.json'), '{"name":"consumer","private":true}');
  const urls = NAMES.map((name) => `postern~${name}@${service.url}/sdk/postern-${name}-${SDK_VERSION}.tgz`);
  // Nothing else is served, because a self-contained tarball needs no registry.
  const args = ['install', '--no-audit', '--no-fund', '--registry=http://127.0.0.1:9', '--fetch-retries=0'];
  await run('npm', [...args, ...urls], { cwd: project, timeout: 120_000 });
});
afterAll(async () => {
  await service.close();
  await rm(project, { recursive: true, force: true });
});

describe('a project that installed the SDKs from the service’s URL', () => {
  const names = JSON.stringify(NAMES.map((name) => `postern~${name}`));

  it.each([
    ['module', `for (const name of ${names}) console.log(Object.keys(await import(name)).length > 3)`],
    ['commonjs', `for (const name of ${names}) console.log(Object.keys(require(name)).length > 3)`],
  ])('can load them as %s', async (type, script) => {
    const { stdout } = await run(process.execPath, [`--input-type=${type}`, '-e', script], { cwd: project });
    expect(stdout.trim().split('\n')).toEqual(NAMES.map(() => 'true'));
  });

  it.each([
    ['node16', 'commonjs', 'cts'],
    ['node16', 'module', 'mts'],
    ['bundler', 'module', 'ts'],
  ])('has their types with moduleResolution %s (%s)', async (moduleResolution, type, ending) => {
    const code = `
      import { createPosternClient } from 'postern~sdk';
      import { createPosternServerClient, type EvaluatedSignUp } from 'postern~sdk-node';
      const options = { baseUrl: 'https://p.test', projectId: 'demo', apiKey: 'k' };
      export const client = createPosternClient(options);
      export const signUp: Promise<EvaluatedSignUp> = createPosternServerClient(options).evaluateSignUp({ email: '' });
      // @ts-expect-error The types must not be any.
      createPosternServerClient({ projectId: 7 });`;
    const file = `consumer-${moduleResolution}-${type}.${ending}`;
    await writeFile(join(project, file), code);
    const tsc = join(repository, 'node_modules/typescript/bin/tsc');
    const module = moduleResolution === 'bundler' ? 'esnext' : 'node16';
    const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom'];
    const args = [tsc, ...flags, '--module', module, '--moduleResolution', moduleResolution, file];
    const { stdout } = await run(process.execPath, args, { cwd: project }).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('verifies a verdict and hashes an IDN address in an edge runtime’s build', async () => {
    const testProject = await service.makeProject();
    const script = `
      import { createPosternServerClient, emailHash } from 'postern~sdk-node/edge';
      const postern = createPosternServerClient(${JSON.stringify({
        baseUrl: service.url,
        projectId: testProject.id,
        apiKey: testProject.serverKey,
        timeoutMs: 60_000,
      })});
      const { verdict } = await postern.validate('jane.doe@gmail.com');
      const good = await postern.verifyVerdict(verdict, { email: 'jane.doe@gmail.com' });
      const forged = await postern.verifyVerdict(verdict.replace(/.{4}$/, 'AAAA'), { email: 'jane.doe@gmail.com' });
      const [unicode, ascii] = await Promise.all(['a@bücher.example', 'a@xn--bcher-kva.example'].map(emailHash));
      console.log(JSON.stringify([good.ok, forged.reason, unicode === ascii]));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project });
    expect(JSON.parse(stdout)).toEqual([true, 'bad_signature', true]);
  });
});

describe('GET /sdk', () => {
  it('describes each file, and serves the page script that matches its hash', async () => {
    const manifest = await (await fetch(`${service.url}/sdk`)).json();
    const script = manifest.files.find(({ name }: { name: string }) => name === 'postern.js');
    const response = await fetch(`${service.url}/sdk/${script.keptAs}`, {
      headers: { 'Accept-Encoding': 'br' },
    });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('content-type')).toMatch('text/javascript');
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(script.integrity).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`);
    // What a browser loads, as the README promises it.
    expect(Number(response.headers.get('content-length'))).toBeLessThan(29 * 1024);
    const again = await fetch(`${service.url}/sdk/postern.js`, {
      headers: { 'If-None-Match': response.headers.get('etag') ?? '', 'Accept-Encoding': 'br' },
    });
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'public, max-age=300']);
    expect((await fetch(`${service.url}/sdk/other.js`)).status).toBe(404);
    const posted = await fetch(`${service.url}/sdk/postern.js`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
