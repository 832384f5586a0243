// Takes the code out of docs/recipes, puts a small program around it and runs that against a real service: good, used, forged,
// expired and foreign verdicts, a new key, a question, and where the framework is in Debian the handler.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { register } from 'tsx/esm/api';
import { LANGUAGES } from './recipe-languages.mjs';
import { casesOf, startProxy, verdictFor } from './recipe-verdicts.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the handler of a recipe answers about x@mailinator.com. */
const HANDLER_CASES = [
  ['the handler with a verdict that says block, where the service cannot be asked', '422'],
  ['the handler without a verdict', '422'],
  ['the handler without a verdict, where the service cannot be asked', '200'],
];

async function codeOf(name, url, project) {
  const recipe = await readFile(join(root, 'docs/recipes', `${name}.md`), 'utf8');
  const blocks = [...recipe.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code]) =>
    code
      .replaceAll('https://postern.example.com', url)
      .replaceAll('YOUR_PROJECT_ID', project.id)
      .replaceAll('YOUR_SERVER_KEY', project.serverKey),
  );
  if (blocks.length === 0) throw new Error(`docs/recipes/${name}.md has no code`);
  return blocks;
}

async function tryRecipe(name, service, project, testKey) {
  const { files, build, start, asked = 'block', handler = false, environment = () => ({}) } = LANGUAGES[name];
  const folder = await mkdtemp(join(tmpdir(), `postern-${name}-`));
  const proxy = await startProxy(service.url);
  try {
    for (const [path, text] of Object.entries(files(...(await codeOf(name, proxy.url, project))))) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const blocked = await verdictFor(service, 'x@mailinator.com', project, project.serverKey);
    const env = { ...process.env, SERVER_KEY: project.serverKey, BLOCKED: blocked, ...environment(folder) };
    if (build !== undefined) await run(...build, { cwd: folder, env });
    const cases = await casesOf(service, project, testKey);
    const program = run(...start, { cwd: folder, env });
    program.child.stdin.end(cases.map(([, token, email]) => `${token} ${email}\n`).join(''));
    const { stdout } = await program;
    const printed = stdout.trim().split('\n');
    const expected = [
      ...cases.map(([what, , , outcome]) => [what, outcome]),
      ['asking the service', asked],
      ...(handler ? HANDLER_CASES : []),
    ];
    const wrong = expected.filter(([, outcome], index) => printed[index] !== outcome);
    if (wrong.length > 0)
      throw new Error(`wrong about ${wrong.map(([what]) => what).join(', ')}:\n${stdout}`);
    console.log(`${name}: right about ${expected.length} cases`);
  } finally {
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

register();
const { createKey, startService } = await import('../../packages/service/test/support/service.ts');
const asked = process.argv.slice(2);
const service = await startService();
try {
  const project = await service.makeProject();
  const { secret: testKey } = await service.admin((admin) =>
    createKey(admin, { projectId: project.id, type: 'server', mode: 'test' }),
  );
  for (const name of asked.length === 0 ? Object.keys(LANGUAGES) : asked) {
    try {
      await LANGUAGES[name].needs();
    } catch {
      console.log(`${name}: skipped, its tools are not installed`);
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
