import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** The guide’s code blocks in order, each with the line of code after which it is inserted. */
const EDITS: readonly { readonly file: string; readonly after: string | RegExp }[] = [
  { file: 'contract/src/checks.ts', after: /export const CHECK_NAMES = .*\n/ },
  { file: 'contract/src/checks.ts', after: "  ip: 'flag',\n" },
  { file: 'contract/src/signals.ts', after: 'export const SIGNALS = {\n' },
  { file: 'contract/src/messages.ts', after: / {4}ip: .*\n/g },
  { file: 'contract/src/check-metadata.ts', after: 'export const CHECK_METADATA = {\n' },
  { file: 'contract/src/explain-check.ts', after: /const EXPLANATIONS: .*\n/ },
];
/** Which of them is the message. */
const MESSAGE_BLOCK = 3;
const LISTS = [
  { file: 'service/src/checks/built-in-checks.ts', after: '    device: deviceCheck,\n' },
  {
    file: 'service/src/checks/sandbox-address.ts',
    after: "  mx: { local: 'mx', signals: ['no_mx_records'] },\n",
  },
];

let copy: string;
let service: TestService;
let project: TestProject;
let owner: DashboardClient;

/** A copy of the packages that the guide changes, with the same dependencies. */
async function copyPackages(): Promise<void> {
  copy = await mkdtemp(join(tmpdir(), 'postern-eighth-'));
  for (const name of ['contract', 'service']) {
    await cp(join(ROOT, 'packages', name), join(copy, 'packages', name), {
      recursive: true,
      filter: (path) => !/\/(node_modules|test)$|\.tsbuildinfo$|\.test\.ts$/.test(path),
    });
  }
  for (const path of [
    'tsconfig.base.json',
    'package.json',
    'docs',
    'examples',
    'scripts',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
  ]) {
    await cp(join(ROOT, path), join(copy, path), { recursive: true });
  }
  // The docs quote these files of the other packages.
  for (const name of await readdir(join(ROOT, 'packages'))) {
    for (const file of ['README.md', 'package.json', 'src/adapters/koa.ts']) {
      const path = join('packages', name, file);
      if (existsSync(join(ROOT, path))) await cp(join(ROOT, path), join(copy, path));
    }
  }
  await mkdir(join(copy, 'node_modules/@postern'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== '@postern')
      await symlink(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name));
  }
  const own = 'packages/service/node_modules';
  await symlink(join(ROOT, own), join(copy, own));
  await symlink(join(copy, 'packages/contract'), join(copy, 'node_modules/@postern/contract'));
}

async function insert(file: string, after: string | RegExp, text: string, replaces = false): Promise<void> {
  const path = join(copy, 'packages', file);
  const before = await readFile(path, 'utf8');
  const changed = before.replace(after, (found) => (replaces ? text : found + text));
  if (changed === before) throw new Error(`${file} has no ${after}`);
  await writeFile(path, changed);
}

/** The sentence goes into every language. */
async function addToLanguages(line: string): Promise<void> {
  const folder = 'contract/src/languages';
  for (const name of await readdir(join(copy, 'packages', folder))) {
    const text = await readFile(join(copy, 'packages', folder, name), 'utf8');
    if (/^ {6}ip:/m.test(text)) await insert(`${folder}/${name}`, /^ {6}ip:\s+(['"]).*?\1,\n/gm, `  ${line}`);
  }
}

/** Follows the guide. */
async function followGuide(): Promise<void> {
  const guide = await readFile(join(ROOT, 'docs/contributing/adding-a-check.md'), 'utf8');
  const blocks = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
  for (const [index, { file, after }] of EDITS.entries()) {
    await insert(file, after, blocks[index] ?? '', index === 0);
  }
  await addToLanguages(blocks[MESSAGE_BLOCK] ?? '');
  const [check = '', ...rows] = blocks.slice(EDITS.length);
  await mkdir(join(copy, 'packages/service/src/checks/length'));
  await writeFile(join(copy, 'packages/service/src/checks/length/length-check.ts'), check);
  for (const [index, { file, after }] of LISTS.entries()) await insert(file, after, rows[index] ?? '');
  const importing = "import { lengthCheck } from './length/length-check.ts';\n";
  await insert('service/src/checks/built-in-checks.ts', /^/, importing);
}

beforeAll(async () => {
  await copyPackages();
  await followGuide();
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '-b', 'packages/service'], { cwd: copy }).catch((error) => {
    throw new Error(`The guide’s code does not compile:\n${error.stdout}`);
  });
  await run(process.execPath, ['scripts/bundle-service.mjs'], { cwd: copy });
  service = await startService({ main: join(copy, 'packages/service/dist/bundle/main.js') });
  project = await service.makeProject();
  owner = await member(service, 'owner');
}, 300_000);
afterAll(async () => {
  await service?.close();
  await rm(copy, { recursive: true, force: true });
});

const email = `${'x'.repeat(50)}@mail-house.net`;

describe('an eighth check, added as the guide says', () => {
  it('is in the answer and decides it', async () => {
    const { json } = await project.validate({ email, validations: { syntax: 'block', length: 'block' } });
    expect(json).toMatchObject({
      recommendation: 'block',
      message: 'Please use a shorter email address.',
      signals: ['long_local_part'],
      checks: { length: { pass: false, metadata: { characters: 50 } } },
    });
  });

  it('is in the log, which can be filtered by it', async () => {
    const { json } = await owner.get(`/projects/${project.id}/validations?check=length`);
    expect(json.rows).toHaveLength(1);
    expect(json.rows[0]).toMatchObject({
      recommendation: 'block',
      failed: ['length'],
      signals: ['long_local_part'],
    });
  });

  it('is in the time machine', async () => {
    const { status, json } = await owner.post(`/projects/${project.id}/time-machine`, {
      policy: { actions: { length: 'flag' } },
    });
    expect(status).toBe(200);
    expect(json.changes).toMatchObject([{ from: 'block', to: 'flag', count: 1 }]);
  });

  it('is in the OpenAPI document and in the docs', async () => {
    const { text } = await service.ask({ path: '/openapi.json' });
    expect(text).toContain('LengthResult');
    expect(text).toContain('long_local_part');
    await run(process.execPath, ['scripts/docs.mjs'], { cwd: copy });
    const docs = await readFile(join(copy, 'docs/api.md'), 'utf8');
    expect(docs).toContain('| `long_local_part` | `length` |');
    expect(docs).toContain('`length@postern.test`');
  });
});
