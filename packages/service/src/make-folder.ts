import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents, readable only by the owner. Node’s recursive `mkdir` never returns if the
 * system reports an existing parent as missing, as it does under /proc.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let place = resolve(folder); !existsSync(place); place = dirname(place)) missing.push(place);
  for (const place of missing.reverse()) {
    try {
      mkdirSync(place, { mode: 0o700 });
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
