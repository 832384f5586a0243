import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./slow-sync.c', import.meta.url));

/** Compiles slow-sync.c into the folder and gives the settings that load it into a server. Linux with a C compiler only. */
export function slowDisk(folder: string, milliseconds: number): Readonly<Record<string, string>> {
  const library = join(folder, 'slow-sync.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE]);
  return { LD_PRELOAD: library, SLOW_SYNC_MICROS: String(milliseconds * 1000) };
}
