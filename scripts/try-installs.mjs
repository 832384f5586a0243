// node scripts/try-installs.mjs [npm pnpm yarn yarn4 bun]: starts the built service and installs every SDK from its URL into
// a project outside of the checkout, with each package manager; then imports each with ESM and CommonJS. Too slow and
// too dependent on the registry for `npm test`, which does the same only with npm.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

const MANAGERS = {
  npm: ['npm', 'install', '--no-audit', '--no-fund'],
  pnpm: ['npx', '--yes', 'pnpm@latest', 'add'],
  yarn: ['npx', '--yes', 'yarn@1', 'add', '--non-interactive', '--no-lockfile'],
  yarn4: ['npx', '--yes', '@yarnpkg/cli-dist@4', 'add'],
  bun: ['npx', '--yes', 'bun@1', 'add'],
};

/** Yarn 4 wants a lock file, and the host’s name for a download over http. */
const FILES = {
  yarn4: {
    'yarn.lock': '',
    '.yarnrc.yml':
      'nodeLinker: node-modules\nenableImmutableInstalls: false\nunsafeHttpWhitelist:\n  - 127.0.0.1\n',
  },
};

const PACKAGES = ['sdk', 'sdk-node', 'sdk-react-native'];

async function startService(dataDir) {
  const env = { ...process.env, POSTERN_DATA_DIR: dataDir, POSTERN_PORT: '0', POSTERN_FEEDS: 'off' };
  const service = spawn(process.execPath, ['packages/service/dist/bundle/main.js'], {
    cwd: root,
    env: { ...env, POSTERN_LOG_FORMAT: 'json', POSTERN_DEMO: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    let printed = '';
    service.stdout.on('data', (chunk) => {
      printed += chunk;
      const ready = /"address":"([^"]+)"[^\n]*Postern is ready/.exec(printed);
      if (ready !== null) resolve(ready[1]);
    });
    service.once('exit', () => reject(new Error(`The service did not start:\n${printed}`)));
  });
  return { url, stop: () => service.kill() };
}

async function tryManager(name, url, version) {
  const project = await mkdtemp(join(tmpdir(), `postern-${name}-`));
  try {
    await writeFile(join(project, 'package.json'), '{"name":"consumer","version":"1.0.0","private":true}');
    const [command, ...args] = MANAGERS[name];
    for (const [file, text] of Object.entries(FILES[name] ?? {})) await writeFile(join(project, file), text);
    // bun reads the name from the file and takes none with `~` here.
    const nameOf = (sdk) => (name === 'bun' ? '' : `postern~${sdk}@`);
    const specs = PACKAGES.map((sdk) => `${nameOf(sdk)}${url}/sdk/postern-${sdk}-${version}.tgz`);
    await run(command, [...args, 'react@19', ...specs], {
      cwd: project,
      timeout: 300_000,
    });
    const names = JSON.stringify(PACKAGES.map((sdk) => `postern~${sdk}`));
    const esm = `for (const name of ${names}) if (Object.keys(await import(name)).length === 0) throw new Error(name);`;
    const cjs = `for (const name of ${names}) if (Object.keys(require(name)).length === 0) throw new Error(name);`;
    await run(process.execPath, ['--input-type=module', '-e', esm], { cwd: project });
    await run(process.execPath, ['--input-type=commonjs', '-e', cjs], { cwd: project });
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
const names = wanted.length === 0 ? Object.keys(MANAGERS) : wanted;
const { version } = JSON.parse(await readFile(join(root, 'packages/service/dist/sdk/manifest.json'), 'utf8'));
const dataDir = await mkdtemp(join(tmpdir(), 'postern-installs-'));
const service = await startService(dataDir);
try {
  for (const name of names) {
    try {
      await tryManager(name, service.url, version);
      console.log(`${name}: installed, imported and required ${PACKAGES.length} packages`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: ${error.stderr || error.message}`);
    }
  }
} finally {
  service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
