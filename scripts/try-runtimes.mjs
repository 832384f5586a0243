// node scripts/try-runtimes.mjs [workerd deno bun]: installs the server SDK from a real service, and each runtime from
// npm, into a folder outside of the checkout. A program in that runtime then judges a good and a throwaway sign-up, and
// verifies a verdict without a request. Too dependent on the registry for `npm test`.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import './typescript.mjs';

const { startService } = await import('../packages/service/test/support/service.ts');
const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs in each runtime. Throws unless the SDK decides as it should; `settings` come from the service. */
const JUDGE = `
import { checkRequest, createPosternServerClient } from 'postern~sdk-node';

export async function judge({ url, projectId, apiKey, verdict }) {
  const problems = [];
  const postern = createPosternServerClient({ baseUrl: url, projectId, apiKey, timeoutMs: 60_000, onProblem: (problem) => problems.push(String(problem.error ?? problem)) });
  // Fetches the keys. A busy machine must not change the result, hence the long time limit too.
  for (let tries = 0; tries < 10 && !(await postern.ping()).ok; tries += 1);
  problems.length = 0;
  const send = (fields) => checkRequest(postern, new Request('https://site.test/sign-up', { method: 'POST', body: new URLSearchParams(fields) }));
  const offline = await send({ email: 'jane.doe@gmail.com', 'postern-verdict': verdict });
  const asked = await send({ email: 'john.doe@gmail.com' });
  const refused = await send({ email: 'x@mailinator.com' });
  return { offline: offline.accepted && offline.signUp.source, asked: asked.accepted && asked.signUp.source, refused: !refused.accepted, problems };
}
`;

const WORKER = `
import { judge } from './judge.mjs';
export default { async fetch(request) { return Response.json(await judge(await request.json())); } };
`;
const PROGRAM = `
import { judge } from './judge.mjs';
console.log(JSON.stringify(await judge(JSON.parse(process.env.SETTINGS))));
`;
const WORKERD_CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "network", network = (allow = ["local", "private", "public"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
  globalOutbound = "network"
);
`;

/** The runtime’s package, and how it runs the program. The binaries are in packages of their own, so no script runs. */
const RUNTIMES = {
  workerd: { packages: ['workerd'], run: runWorkerd },
  // Newer versions have no package for every platform in every registry.
  deno: {
    packages: ['deno@2.9.5'],
    run: (project, settings) => runProgram(project, settings, '@deno', 'deno', ['run', '--allow-all']),
  },
  bun: {
    packages: ['bun@1'],
    run: (project, settings) => runProgram(project, settings, '@oven', 'bin/bun', ['run']),
  },
};

/** The one file in node_modules/SCOPE/PLATFORM that is the runtime. */
async function binaryOf(project, scope, path) {
  const folder = join(project, 'node_modules', scope);
  const [platform] = await readdir(folder).catch(() => []);
  if (platform === undefined)
    throw new Error(`the registry has no ${scope} package for ${process.platform} ${process.arch}`);
  return join(folder, platform, path);
}

async function runProgram(project, settings, scope, path, args) {
  const binary = await binaryOf(project, scope, path);
  const env = { ...process.env, SETTINGS: JSON.stringify(settings) };
  const { stdout } = await run(binary, [...args, 'program.mjs'], { cwd: project, env, timeout: 120_000 });
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

/** Bundled as Wrangler does it: with the export condition `workerd`. */
async function runWorkerd(project, settings) {
  const bundle = await rolldown({
    input: join(project, 'worker.mjs'),
    resolve: { conditionNames: ['workerd', 'worker', 'import'] },
  });
  await bundle.write({ file: join(project, 'worker.js'), format: 'esm', codeSplitting: false });
  await bundle.close();
  await writeFile(join(project, 'config.capnp'), WORKERD_CONFIG);
  const binary = await binaryOf(project, '@cloudflare', 'bin/workerd');
  const child = spawn(binary, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: project,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  try {
    const port = await new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`workerd ended with ${code}`)));
      child.stdio[3].on('data', (chunk) => {
        const match = /"port":\s*(\d+)/.exec(String(chunk));
        if (match !== null) resolve(match[1]);
      });
    });
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: JSON.stringify(settings),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  } finally {
    child.kill();
  }
}

async function tryRuntime(name, settings, tarball) {
  const { packages, run: runIn } = RUNTIMES[name];
  const project = await mkdtemp(join(tmpdir(), `postern-${name}-`));
  try {
    const manifest = { name: 'consumer', version: '1.0.0', private: true, type: 'module' };
    await writeFile(join(project, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(project, 'judge.mjs'), JUDGE);
    await writeFile(join(project, 'worker.mjs'), WORKER);
    await writeFile(join(project, 'program.mjs'), PROGRAM);
    const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball, ...packages];
    await run('npm', install, { cwd: project, timeout: 300_000 });
    const result = await runIn(project, settings);
    const expected = { offline: 'verdict', asked: 'service', refused: true, problems: [] };
    if (JSON.stringify(result) !== JSON.stringify(expected)) throw new Error(JSON.stringify(result));
    console.log(`${name}: verifies a verdict offline, asks the service, refuses a throwaway address`);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
const names = wanted.length === 0 ? Object.keys(RUNTIMES) : wanted;
const { version } = JSON.parse(await readFile(join(root, 'packages/service/dist/sdk/manifest.json'), 'utf8'));
const service = await startService();
try {
  const project = await service.makeProject();
  const { url } = service;
  for (const name of names) {
    const { headers } = await project.validate({ email: 'jane.doe@gmail.com' });
    const settings = {
      url,
      projectId: project.id,
      apiKey: project.serverKey,
      verdict: headers['x-postern-verdict'],
    };
    try {
      await tryRuntime(name, settings, `${url}/sdk/postern-sdk-node-${version}.tgz`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: ${error.stderr || error.message}`);
    }
  }
} finally {
  await service.close();
}
