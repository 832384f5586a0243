// The examples with a package.json of their own: real apps. They are copied out of the checkout and installed there, with
// the packed SDKs, as in somebody’s project.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../scripts/checkout.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const packed = join(root, 'packages/service/dist/sdk');
/** For the examples without a page of their own. */
const SHARED = ['examples/settings.js', 'examples/single-page-server.js', 'examples/plain-form/index.html'];

export const isFrameworkApp = (name) => existsSync(join(root, 'examples', name, 'package.json'));

/** Installs, builds and starts an app. `stop` ends it and removes its folder. */
export async function startFrameworkApp(name, environment, port) {
  const copy = await mkdtemp(join(tmpdir(), `postern-${name}-`));
  const folder = join(copy, 'examples', name);
  const url = `http://localhost:${port}`;
  const settings = { ...process.env, ...environment };
  const { POSTERN_URL, POSTERN_PROJECT_ID, POSTERN_CLIENT_KEY } = settings;
  const env = {
    ...settings,
    // What Vite may put into a page.
    VITE_POSTERN_URL: POSTERN_URL,
    VITE_POSTERN_PROJECT_ID: POSTERN_PROJECT_ID,
    VITE_POSTERN_CLIENT_KEY: POSTERN_CLIENT_KEY,
    PORT: String(port),
    HOST: 'localhost',
    // SvelteKit and Nuxt want to know where they are, and telemetry is nobody’s business in an example.
    ORIGIN: url,
    NITRO_HOST: 'localhost',
    NITRO_PORT: String(port),
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
  };
  const app = { child: null };
  const stop = async () => {
    if (app.child !== null && app.child.exitCode === null && app.child.signalCode === null) {
      const exited = new Promise((resolve) => app.child.once('exit', resolve));
      // The group: npm starts the framework as a child of its own. Windows has no groups.
      if (process.platform === 'win32') app.child.kill();
      else process.kill(-app.child.pid, 'SIGTERM');
      await exited;
    }
    await rm(copy, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    for (const path of [`examples/${name}`, ...SHARED]) {
      await cp(join(root, path), join(copy, path), { recursive: true });
    }
    await cp(join(packed, 'postern.js'), join(copy, 'packages/sdk/dist/postern.js'));
    await writeFile(join(copy, 'package.json'), '{"type":"module","private":true}');
    const { version } = JSON.parse(await readFile(join(packed, 'manifest.json'), 'utf8'));
    const sdks = ['sdk-node', 'sdk'].map((sdk) => join(packed, `postern-${sdk}-${version}.tgz`));
    // For the code that the examples share. An app finds its own copy first.
    await runToEnd(npmCommand(['install', '--no-audit', '--no-fund', sdks[0]]), copy, env);
    const flags = ['--no-audit', '--no-fund', '--legacy-peer-deps'];
    await runToEnd(npmCommand(['install', ...flags, ...sdks]), folder, env);
    await runToEnd(npmCommand(['run', '--if-present', 'build']), folder, env);
    app.child = spawn(...npmCommand(['start']), {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await answering(app.child, url);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function runToEnd([command, args], cwd, env) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${printed.slice(-4_000)}`);
}

/** Waits until the app answers, or fails with what it printed. */
async function answering(child, url) {
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`The app ended with ${child.exitCode}:\n${printed}`);
    const ready = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The app does not answer:\n${printed}`);
}
