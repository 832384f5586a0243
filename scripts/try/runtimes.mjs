import { spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { archiveUrl, inProject, install, openService, run } from './support.mjs';

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
const EXPECTED = { offline: 'verdict', asked: 'service', refused: true, problems: [] };

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
const FILES = {
  'judge.mjs': JUDGE,
  'worker.mjs': WORKER,
  'program.mjs': PROGRAM,
  'config.capnp': WORKERD_CONFIG,
};

/** The runtime’s package, and how it runs the program. The binaries are in packages of their own, so no script runs. */
const RUNTIMES = {
  workerd: { from: 'workerd', judge: runWorkerd },
  // Newer versions have no package for every platform in every registry.
  deno: { from: 'deno@2.9.5', judge: programOf('@deno', 'deno', ['run', '--allow-all']) },
  bun: { from: 'bun@1', judge: programOf('@oven', 'bin/bun', ['run']) },
};

/** The one file in node_modules/SCOPE/PLATFORM that is the runtime. */
async function binaryOf(project, scope, path) {
  const folder = join(project, 'node_modules', scope);
  const [platform] = await readdir(folder).catch(() => []);
  if (platform === undefined)
    throw new Error(`the registry has no ${scope} package for ${process.platform} ${process.arch}`);
  return join(folder, platform, path);
}

function programOf(scope, path, args) {
  return async (cwd, settings) => {
    const env = { ...process.env, SETTINGS: JSON.stringify(settings) };
    const binary = await binaryOf(cwd, scope, path);
    const { stdout } = await run(binary, [...args, 'program.mjs'], { cwd, env, timeout: 120_000 });
    return JSON.parse(stdout.trim().split('\n').at(-1));
  };
}

/** Bundled as Wrangler does it: with the export condition `workerd`. */
async function runWorkerd(cwd, settings) {
  const bundle = await rolldown({
    input: join(cwd, 'worker.mjs'),
    resolve: { conditionNames: ['workerd', 'worker', 'import'] },
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  await writeFile(join(cwd, 'worker.js'), output[0].code);
  const child = spawn(
    await binaryOf(cwd, '@cloudflare', 'bin/workerd'),
    ['serve', 'config.capnp', '--control-fd=3'],
    {
      cwd,
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    },
  );
  try {
    const port = await new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`workerd ended with ${code}`)));
      child.stdio[3].on('data', (chunk) => {
        const match = /"port":\s*(\d+)/.exec(String(chunk));
        if (match !== null) resolve(match[1]);
      });
    });
    const request = { method: 'POST', body: JSON.stringify(settings) };
    const response = await fetch(`http://127.0.0.1:${port}/`, request);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return JSON.parse(text);
  } finally {
    child.kill();
  }
}

export const parts = Object.keys(RUNTIMES);
export const open = () => openService();

/** A program in the runtime judges a good and a throwaway sign-up, and verifies a verdict without a request. */
export async function tryPart(name, { service, project }) {
  // Only the answer to a page carries a verdict.
  const { headers } = await project.validateFromPage({ email: 'jane.doe@gmail.com' });
  const settings = {
    url: service.url,
    projectId: project.id,
    apiKey: project.serverKey,
    verdict: headers['x-postern-verdict'],
  };
  const { from, judge } = RUNTIMES[name];
  await inProject(FILES, async (cwd) => {
    await install(cwd, [archiveUrl(service, 'sdk-node'), from]);
    const result = JSON.stringify(await judge(cwd, settings));
    if (result !== JSON.stringify(EXPECTED)) throw new Error(result);
  });
  return 'verifies a verdict offline, asks the service, refuses a throwaway address';
}
