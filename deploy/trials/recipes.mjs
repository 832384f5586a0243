// Takes the code out of docs/recipes, puts a small program around it and runs that against a real service: good, used, forged,
// expired and foreign verdicts, a new key, a question, and the handler in its framework.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import '../../scripts/typescript.mjs';
import { LANGUAGES } from './recipe-languages.mjs';
import {
  casesOf,
  forgedVerdict,
  MOST_KEY_FETCHES,
  startProxy,
  UNKNOWN_KEYS,
  verdictFor,
} from './recipe-verdicts.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the handler of a recipe answers about x@mailinator.com. */
const HANDLER_CASES = [
  ['the handler with a verdict that says block, where the service cannot be asked', '422'],
  ['the handler with a forged verdict that says allow', '422'],
  ['the handler without a verdict', '422'],
  ['the handler without a verdict, while the service is down', '200'],
];

async function codeOf(names, url, project) {
  const blocks = await Promise.all(names.map((name) => blocksOf(name, url, project)));
  return blocks.flat();
}

async function blocksOf(name, url, project) {
  const recipe = await readFile(join(root, 'docs/recipes', `${name}.md`), 'utf8');
  const blocks = [...recipe.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code]) =>
    code
      .replaceAll('https://postern.example.com', url)
      .replaceAll('YOUR_PROJECT_ID', project.id)
      .replaceAll('YOUR_SERVER_KEY', project.serverKey)
      .replaceAll('YOUR_CLIENT_KEY', project.clientKey),
  );
  if (blocks.length === 0) throw new Error(`docs/recipes/${name}.md has no code`);
  return blocks;
}

async function tryRecipe(name, service, project, testKey) {
  const { files, build, start, also = [], asked = 'block', environment = () => ({}) } = LANGUAGES[name];
  const folder = await mkdtemp(join(tmpdir(), `postern-${name}-`));
  const proxy = await startProxy(service.url);
  try {
    for (const [path, text] of Object.entries(
      files(...(await codeOf([name, ...also], proxy.url, project))),
    )) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const blocked = await verdictFor(service, 'x@mailinator.com', project, project.serverKey);
    const env = {
      ...process.env,
      SERVER_KEY: project.serverKey,
      POSTERN_SERVER_KEY: project.serverKey,
      BLOCKED: blocked,
      FORGED: await forgedVerdict(service, project),
      UNKNOWN_KEYS: String(UNKNOWN_KEYS),
      ...environment(folder),
    };
    if (build !== undefined) await run(...build, { cwd: folder, env });
    const cases = await casesOf(service, project, testKey);
    const program = run(...start, { cwd: folder, env });
    program.child.stdin.end(cases.map(([, token, email]) => `${token} ${email}\n`).join(''));
    const { stdout } = await program;
    const printed = stdout.trim().split('\n');
    const expected = LANGUAGES[name].expected ?? [
      ...cases.map(([what, , , outcome]) => [what, outcome]),
      ['asking the service', asked],
      ...HANDLER_CASES,
    ];
    const wrong = expected.filter(([, outcome], index) => printed[index] !== outcome);
    if (wrong.length > 0)
      throw new Error(`wrong about ${wrong.map(([what]) => what).join(', ')}:\n${stdout}`);
    if (proxy.keyFetches() > MOST_KEY_FETCHES)
      throw new Error(`fetched the keys ${proxy.keyFetches()} times within seconds`);
    console.log(`${name}: right about ${expected.length} cases`);
  } finally {
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const { createKey, startService } = await import('../../packages/service/test/support/service.ts');
const asked = process.argv.slice(2);
const service = await startService();
try {
  const project = await service.makeProject({ allowedDomains: ['app://com.example.shop'] });
  const { secret: testKey } = await service.admin((admin) =>
    createKey(admin, { projectId: project.id, type: 'server', mode: 'test' }),
  );
  for (const name of asked.length === 0 ? Object.keys(LANGUAGES) : asked) {
    try {
      await LANGUAGES[name].needs();
    } catch {
      console.log(`${name}: skipped, its tools are not installed`);
      if (process.env.RECIPES_MUST_RUN) process.exitCode = 1;
      continue;
    }
    try {
      await tryRecipe(name, service, project, testKey);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: ${error.message}\n${error.stderr ?? ''}`);
    }
  }
} finally {
  await service.close();
}
