// npm run example NAME: installs and builds what is missing, starts a Postern of its own unless POSTERN_URL names one, and
// starts the example against it.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../scripts/build-steps.mjs';
import { run as prepare } from '../scripts/checkout.mjs';
import { ensureInstalled } from '../scripts/ensure-installed.mjs';
import { isFrameworkApp, startFrameworkApp } from './framework-app.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const names = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const [name] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`npm run example NAME, where NAME is one of: ${names.join(', ')}`);
  process.exit(2);
}

const children = [];

function start(script, args, env, stdio) {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio,
  });
  children.push(child);
  return child;
}

/** Runs to its end and gives what it printed. */
async function run(script, args = [], env = {}) {
  const child = start(script, args, env, ['ignore', 'pipe', 'inherit']);
  let printed = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) printed += chunk;
  const code = child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve)));
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return printed;
}

async function startPostern(dataDir) {
  const env = {
    POSTERN_DATA_DIR: dataDir,
    POSTERN_DEMO: 'off',
    POSTERN_FEEDS: 'off',
    POSTERN_LOG_FORMAT: 'json',
  };
  const cli = async (...args) =>
    JSON.parse(await run('packages/cli/bin/postern.mjs', [...args, '--json'], env));
  const { id } = await cli('project', 'create', '--id', 'example', '--name', 'Example');
  const client = await cli('key', 'create', '--project', id, '--type', 'client');
  const server = await cli('key', 'create', '--project', id, '--type', 'server');

  const service = start('packages/service/dist/bundle/main.js', [], { ...env, POSTERN_PORT: '0' }, [
    'ignore',
    'pipe',
    'pipe',
  ]);
  const url = await new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk) => {
      printed += chunk;
      const ready = /"address":"([^"]+)"[^\n]*Postern is ready/.exec(printed);
      if (ready !== null) resolve(ready[1]);
    };
    service.stdout.on('data', read);
    service.stderr.on('data', read);
    service.once('exit', () => reject(new Error(`Postern did not start:\n${printed}`)));
  });
  return {
    POSTERN_URL: url,
    POSTERN_PROJECT_ID: id,
    POSTERN_CLIENT_KEY: client.key,
    POSTERN_SERVER_KEY: server.key,
  };
}

await prepare(async () => {
  // Express and React are there for the examples only, which makes them developers’ packages.
  await ensureInstalled({ dev: true });
  await build({ only: isFrameworkApp(name) ? ['code', 'data', 'sdks'] : ['code', 'data'] });
});
if (process.exitCode) process.exit();
await run('scripts/build-sdks.mjs', ['--if-stale']);

const dataDir = process.env.POSTERN_URL ? null : await mkdtemp(join(tmpdir(), 'postern-example-'));
let frameworkApp = null;
const stop = async () => {
  await frameworkApp?.stop();
  for (const child of children) child.kill();
  if (dataDir !== null) await rm(dataDir, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop().then(() => process.exit()));

try {
  const env = dataDir === null ? {} : await startPostern(dataDir);
  if (isFrameworkApp(name)) {
    console.log(`Installing and building examples/${name} in a temporary folder…`);
    frameworkApp = await startFrameworkApp(name, env, Number(process.env.PORT ?? 3000));
    console.log(`Listening on ${frameworkApp.url}`);
    await new Promise(() => {});
  }
  const example = start(`examples/${name}/server.js`, [], env, 'inherit');
  process.exitCode = await new Promise((resolve) => example.once('exit', resolve));
} finally {
  await stop();
}
