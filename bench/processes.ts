import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { platform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
  readonly rate?: number;
}

export interface Seen {
  readonly perSecond: number;
  readonly total: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
}

/** On Linux, the server and the load run on separate cores, so that they do not compete. */
export function pinned(core: string, command: string, args: readonly string[]): [string, string[]] {
  return platform() === 'linux' ? ['taskset', ['-c', core, command, ...args]] : [command, [...args]];
}

export async function sendLoad(load: Load): Promise<Seen> {
  const script = fileURLToPath(new URL('./load.mjs', import.meta.url));
  const [command, args] = pinned(process.env.BENCH_CORES ?? '1', process.execPath, [script]);
  const sending = run(command, args);
  sending.child.stdin?.end(JSON.stringify(load));
  return JSON.parse((await sending).stdout) as Seen;
}

export interface Running {
  readonly url: string;
  readonly process: ChildProcess;
  readonly stop: () => Promise<void>;
}

/** Starts a server on its core and waits until it prints its address. */
export function startServer(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  address: RegExp,
  cores = process.env.BENCH_CORES ?? '0',
): Promise<Running> {
  const [command, all] = pinned(cores, process.execPath, args);
  const child = spawn(command, all, { env: { PATH: process.env.PATH, ...environment } });
  // A bench that fails leaves no server behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const url = address.exec(printed)?.[1];
      if (url === undefined) return;
      resolve({
        url,
        process: child,
        stop: async () => {
          const ended = new Promise((done) => child.once('exit', done));
          child.kill('SIGTERM');
          await ended;
        },
      });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${printed}`)));
  });
}
