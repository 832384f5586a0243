import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, readlink, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/** Lets one process at a time refresh a folder. */
export interface FeedLock {
  exclusively<T>(work: () => Promise<T>): Promise<T | 'busy'>;
}

interface LockOwner {
  readonly token: string;
  readonly pid: number;
  /** The scope in which `pid` is valid: the machine, its boot and its process namespace. */
  readonly place: string;
  /** Distinguishes this process from a later one with the same PID. `null` if the system does not say. */
  readonly startedAt: string | null;
}

export interface LockTimes {
  readonly renewMs: number;
  /** An owner on another machine that has not renewed the lock for this long is considered dead. */
  readonly expireMs: number;
}

const LOCK = 'refresh.lock';
const TIMES: LockTimes = { renewMs: 10_000, expireMs: 3 * 60_000 };

/**
 * The lock names its owner. A dead owner on the same machine is detected immediately, whatever the lock’s age. An owner
 * on another machine (with a folder on a network disk) renews the lock while it works.
 */
export function openFeedLock(folder: string, times: LockTimes = TIMES): FeedLock {
  const file = join(folder, LOCK);
  return {
    exclusively: async (work) => {
      makeFolder(folder);
      const owner = await describeOwner(process.pid);
      await removeDeadLock(file, owner.place, times);
      if (!(await create(file, owner))) return 'busy';
      await removeLeftovers(folder, times);
      const renewal = setInterval(() => void renew(file, owner), times.renewMs).unref();
      try {
        return await work();
      } finally {
        clearInterval(renewal);
        if ((await readOwner(file))?.token === owner.token) await rm(file, { force: true });
      }
    },
  };
}

/** Linking is atomic and fails if the name exists. The file is complete before it gets the name. */
async function create(file: string, owner: LockOwner): Promise<boolean> {
  const draft = `${file}.${owner.token}`;
  const handle = await open(draft, 'wx', 0o600);
  await handle.writeFile(JSON.stringify(owner));
  await handle.close();
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function renew(file: string, owner: LockOwner): Promise<void> {
  const time = new Date();
  if ((await readOwner(file))?.token === owner.token) await utimes(file, time, time).catch(() => {});
}

async function removeDeadLock(file: string, place: string, { expireMs }: LockTimes): Promise<void> {
  const renewed = (await stat(file).catch(() => undefined))?.mtimeMs;
  if (renewed === undefined) return;
  const owner = await readOwner(file);
  const dead = owner?.place === place ? !(await isAlive(owner)) : Math.abs(Date.now() - renewed) > expireMs;
  if (!dead) return;
  // If two processes see the dead lock, the slower one may move away the new lock of the faster one. It puts that back.
  const moved = `${file}.${randomUUID()}`;
  await rename(file, moved).catch(() => {});
  if ((await readOwner(moved))?.token !== owner?.token) await link(moved, file).catch(() => {});
  await rm(moved, { force: true });
}

/** Removes the files of processes that were killed while taking the lock. A recent file may belong to a living process. */
async function removeLeftovers(folder: string, { expireMs }: LockTimes): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.startsWith(`${LOCK}.`));
  for (const file of left.map((name) => join(folder, name))) {
    const made = (await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - made > expireMs) await rm(file, { force: true });
  }
}

async function isAlive({ pid, startedAt }: LockOwner): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const started = await startOf(pid);
  return startedAt === null || started === null || started === startedAt;
}

async function readOwner(file: string): Promise<LockOwner | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LockOwner;
  } catch {
    return undefined;
  }
}

async function describeOwner(pid: number): Promise<LockOwner> {
  const [boot, namespace, startedAt] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
    startOf(pid),
  ]);
  return { token: randomUUID(), pid, place: `${hostname()} ${boot.trim()} ${namespace}`, startedAt };
}

/** When a process started, in ticks since boot: field 22 of proc(5)’s stat, the twentieth after the name. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
