import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { npmChromium } from './npm-chromium.ts';

export interface Installation {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Why there is no browser, and the one command that changes it. */
export interface NoBrowser {
  readonly reason: string;
  readonly command: string;
}

/** What the search depends on. Tests pass another machine. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly arch: string;
  readonly isRoot: boolean;
  /** The text of /etc/os-release. */
  readonly system: string;
  /** Where a browser may be that is not in the PATH: Chrome on a Mac, and what Playwright downloaded. */
  readonly otherPlaces: () => Promise<readonly string[]>;
  /** Runs a program that installs something. Rejects if it fails. */
  readonly install: (program: string, args: readonly string[]) => Promise<unknown>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_LIMIT_MS = 15 * 60_000;

/** A machine’s package managers, with what installs Chromium. A fresh image has no package lists. */
const MANAGERS = [
  {
    program: 'apt-get',
    // Another run may be installing at the same time.
    steps: ['update', '-o DPkg::Lock::Timeout=600 install -y --no-install-recommends chromium'],
    command: 'apt-get install -y chromium',
    // Ubuntu’s package only starts a snap, which does not run in containers.
    fits: ({ system }: Machine) => !/^ID=ubuntu$/m.test(system),
  },
  { program: 'dnf', steps: ['install -y chromium'], command: 'dnf install -y chromium', fits: () => true },
  { program: 'apk', steps: ['add --no-cache chromium'], command: 'apk add chromium', fits: () => true },
];

/** The browser that CHROMIUM_PATH names, else an installed one, else the npm package’s. Installs nothing. */
export async function findChromium(machine = thisMachine()): Promise<Installation | undefined> {
  const named = machine.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (await runs({ executablePath: named, env: {} })) return { executablePath: named, env: {} };
    throw new Error(`CHROMIUM_PATH names ${named}, which does not run.`);
  }
  return (await installedChromium(machine)) ?? (await fromNpm(machine));
}

/** Finds a browser or installs one: by the package manager as root, else by Playwright’s own download. */
export async function provideChromium(machine = thisMachine()): Promise<Installation | NoBrowser> {
  const found = await findChromium(machine);
  if (found !== undefined) return found;
  const reasons = ['no Chromium or Chrome is installed'];
  if (machine.arch !== 'x64') reasons.push('the one on npm is for x64 only');
  const manager = MANAGERS.find((each) => inPath(machine, each.program) && each.fits(machine));
  if (manager !== undefined) {
    const { program, steps } = manager;
    const problem = machine.isRoot ? await attempt(machine, program, steps) : 'needs root';
    const installed = problem === undefined ? await installedChromium(machine) : undefined;
    if (installed !== undefined) return installed;
    reasons.push(`${program} ${problem ?? 'installed none that runs'}`);
  }
  const playwright = join(dirname(createRequire(import.meta.url).resolve('playwright')), 'cli.js');
  // The libraries that the download needs are in no other package of a bare Debian or Ubuntu.
  const withLibraries = machine.isRoot && inPath(machine, 'apt-get') ? ' --with-deps' : '';
  const download = [`${playwright} install${withLibraries} --no-shell chromium`];
  const problem = await attempt(machine, process.execPath, download);
  const downloaded = problem === undefined ? await installedChromium(machine) : undefined;
  if (downloaded !== undefined) return downloaded;
  reasons.push(`Playwright’s download ${problem ?? 'does not run here'}`);
  const sudo = machine.isRoot ? '' : 'sudo ';
  const command =
    manager === undefined ? 'npx playwright install --with-deps chromium' : `${sudo}${manager.command}`;
  return { reason: reasons.join('; '), command };
}

/** Runs the steps of an installation. Returns what went wrong in the last: package lists may be there already. */
async function attempt(machine: Machine, program: string, steps: readonly string[]) {
  try {
    for (const step of steps.slice(0, -1)) {
      await machine.install(program, step.split(' ')).catch(() => undefined);
    }
    await machine.install(program, steps.at(-1)?.split(' ') ?? []);
    return undefined;
  } catch (error) {
    const text = String((error as { stderr?: string }).stderr || error).trim();
    const line = text.split('\n').find((each) => /^E: |error|fail/i.test(each)) ?? text.split('\n')[0];
    return `failed (${line?.trim()})`;
  }
}

async function installedChromium(machine: Machine): Promise<Installation | undefined> {
  const paths = [...NAMES.map((name) => inPath(machine, name)), ...(await machine.otherPlaces())];
  for (const path of paths) {
    if (path === undefined || !existsSync(path)) continue;
    const installation = { executablePath: path, env: {} };
    if (await runs(installation)) return installation;
  }
  return undefined;
}

async function fromNpm({ arch }: Machine): Promise<Installation | undefined> {
  if (process.platform !== 'linux' || arch !== 'x64') return undefined;
  const installation = await npmChromium().catch(() => undefined);
  return installation !== undefined && (await runs(installation)) ? installation : undefined;
}

/** A file that is there may still lack libraries, be for another system, or be a script that asks for something else. */
async function runs({ executablePath, env }: Installation): Promise<boolean> {
  const options = { env: { ...process.env, ...env }, timeout: 60_000 };
  return promisify(execFile)(executablePath, ['--version', '--no-sandbox'], options).then(
    () => true,
    () => false,
  );
}

function inPath({ env }: Machine, name: string): string | undefined {
  const folders = (env.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(':');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function thisMachine(): Machine {
  return {
    env: process.env,
    arch: process.arch,
    isRoot: process.getuid?.() === 0,
    system: existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '',
    otherPlaces: async () => [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      (await import('playwright')).chromium.executablePath(),
    ],
    install: (program, args) => {
      process.stderr.write(`Installing Chromium for the browser tests: ${program} ${args.join(' ')}\n`);
      return promisify(execFile)(program, [...args], {
        timeout: INSTALL_LIMIT_MS,
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    },
  };
}
