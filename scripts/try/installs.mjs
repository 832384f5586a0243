import { archiveUrl, inProject, openService, run } from './support.mjs';

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
const NAMES = JSON.stringify(PACKAGES.map((sdk) => `postern~${sdk}`));

export const parts = Object.keys(MANAGERS);
export const open = () => openService();

/** Installs every SDK from its address, and imports each with ESM and CommonJS. */
export async function tryPart(name, { service }) {
  await inProject(FILES[name], async (cwd) => {
    const [command, ...args] = MANAGERS[name];
    // bun reads the name from the file and takes none with `~` here.
    const specs = PACKAGES.map((sdk) => (name === 'bun' ? '' : `postern~${sdk}@`) + archiveUrl(service, sdk));
    await run(command, [...args, 'react@19', ...specs], { cwd, timeout: 300_000 });
    for (const [type, load] of [
      ['module', 'await import'],
      ['commonjs', 'require'],
    ]) {
      const program = `for (const name of ${NAMES}) if (Object.keys(${load}(name)).length === 0) throw new Error(name);`;
      await run(process.execPath, [`--input-type=${type}`, '-e', program], { cwd });
    }
  });
  return `installed, imported and required ${PACKAGES.length} packages`;
}
