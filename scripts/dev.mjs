import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build-steps.mjs';
import { Refusal, ROOT, readArguments, run, say } from './checkout.mjs';
import { readNavigation } from './docs-site/navigation.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const HELP = `npm run dev [-- --port 5173]
Runs the service and the dashboard together and reloads them when a file changes. Everything is at one address:
Vite serves the dashboard’s pages, and passes all other requests on to the service at POSTERN_PORT (8080).
The service takes its settings from the environment, as npm start does.`;

/** An editor may write several files at once. */
const SETTLE_MS = 100;
const STOP_LIMIT_MS = 20_000;

/** `npm run dev`: the service restarts after a change, the dashboard’s pages change in the open browser. */
await run(async () => {
  const { values } = readArguments(HELP, { options: { port: { type: 'string', default: '5173' } } });
  if (values.help) return;
  const port = Number(process.env.POSTERN_PORT || 8080);
  if (!Number.isInteger(port) || port < 1) throw new Refusal('npm run dev needs a fixed POSTERN_PORT.');
  await ensureInstalled({ dev: true });
  await build({ only: ['code', 'data', 'sdks', 'docs'], lenient: true });
  const vite = await startVite(Number(values.port), port);
  const [address] = vite.resolvedUrls.local;
  const publicUrl = new URL(address).origin;
  const service = createServiceProcess({ POSTERN_PUBLIC_URL: publicUrl, ...process.env });
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, async () => {
      await Promise.all([service.stop(), vite.close()]);
      process.exit(0);
    });
  }
  service.start();
  rebuildOnChange(vite.watcher, service);
  say(`Watching for changes. Dashboard: ${publicUrl}/dashboard/   Docs: ${publicUrl}/docs`);
});

async function startVite(port, servicePort) {
  process.env.DEV_SERVICE_URL = `http://127.0.0.1:${servicePort}`;
  const { createServer } = await import('vite');
  const vite = await createServer({
    configFile: join(ROOT, 'packages/dashboard/vite.config.ts'),
    clearScreen: false,
    server: { host: '127.0.0.1', port },
  });
  return vite.listen();
}

/** The service as a process of its own. If it ends by itself, the next change starts it again. */
function createServiceProcess(env) {
  let child;
  const start = () => {
    const args = ['--enable-source-maps', 'packages/service/dist/bundle/main.js'];
    const started = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
    child = started;
    started.once('exit', (code) => {
      if (child !== started) return;
      child = undefined;
      say(`The service ended with code ${code}. It starts again after the next change.`);
    });
  };
  const stop = async () => {
    const running = child;
    child = undefined;
    if (running === undefined) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGTERM');
    const limit = setTimeout(() => running.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(limit);
  };
  return { start, stop };
}

/** Builds what a change concerns. A change during a build starts another build afterwards. */
function rebuildOnChange(watcher, service) {
  let timer;
  let building = false;
  let again = false;
  const rebuild = async () => {
    if (building) {
      again = true;
      return;
    }
    building = true;
    do {
      again = false;
      await rebuildAndRestart(service);
    } while (again);
    building = false;
  };
  const watched = watchedPaths();
  watcher.add(watched);
  watcher.on('all', (_event, path) => {
    // Vite’s watcher reports the dashboard’s files too.
    if (!watched.some((one) => path.startsWith(one)) || /\.test\.tsx?$/.test(path)) return;
    clearTimeout(timer);
    timer = setTimeout(rebuild, SETTLE_MS);
  });
}

async function rebuildAndRestart(service) {
  // The service first: SDKs and docs take longer and are seldom what is being worked on.
  for (const only of [
    ['code', 'data'],
    ['sdks', 'docs'],
  ]) {
    try {
      const built = await build({ only });
      // The docs are read from the disk at each request.
      if (built.every((name) => name === 'docs')) continue;
      say('Restarting the service…');
      await service.stop();
      service.start();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      say(`${error.message}\nThe service keeps running without this change.`);
    }
  }
}

/** What the build of the service, the SDKs and the docs reads. */
function watchedPaths() {
  const packages = readdirSync(join(ROOT, 'packages')).filter((name) => name !== 'dashboard');
  const pages = readNavigation().flatMap((group) => group.pages);
  return [
    ...packages.map((name) => join('packages', name, 'src')),
    join('packages', 'service', 'lists'),
    'docs',
    join('scripts', 'docs-site'),
    ...pages.flatMap(({ file }) => (file === undefined || file.startsWith('docs/') ? [] : [file])),
  ].map((path) => join(ROOT, path));
}
