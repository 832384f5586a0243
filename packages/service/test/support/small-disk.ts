import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A separate disk that is small enough to fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills it completely. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  /** Makes it read-only. Fails while a file is open for writing. */
  makeReadOnly(): Promise<void>;
  remove(): Promise<void>;
}

/** `undefined` if this user cannot mount one, which needs root on Linux. */
export async function smallDisk(sizeMb: number): Promise<SmallDisk | undefined> {
  if (process.platform !== 'linux') return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'postern-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0755`, 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true });
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: () => fillUp(ballast),
    makeRoom: () => unlink(ballast),
    async makeReadOnly() {
      await run('mount', ['-o', 'remount,ro', folder]);
    },
    async remove() {
      await run('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true });
    },
  };
}

async function fillUp(file: string): Promise<void> {
  const handle = await open(file, 'a');
  const piece = Buffer.alloc(65_536);
  try {
    for (let size = piece.length; size >= 512; size /= 2) {
      // When a write fails, smaller writes use the remaining space.
      while (await handle.write(piece, 0, size).catch(isFull)) {}
    }
  } finally {
    await handle.close();
  }
}

function isFull(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOSPC') throw error;
  return undefined;
}
