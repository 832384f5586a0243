import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMPILED = fileURLToPath(new URL('../../dist/', import.meta.url));
/** Later steps of the build write these. */
const NOT_COMPILED = new Set(['bundle', 'data', 'docs', 'sdk']);

/** A build that stopped between compiling and bundling would let tests run old code. */
export function requireFreshBundle(): void {
  const bundled = statSync(join(COMPILED, 'bundle/files.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newer = compiledFiles().find((file) => statSync(file).mtimeMs > bundled);
  if (newer !== undefined)
    throw new Error(
      `${newer} is newer than the bundle that tests run; run npm run build, with -- --force if it finds nothing to do`,
    );
}

function compiledFiles(): string[] {
  return readdirSync(COMPILED, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_COMPILED.has(entry.name)) return [];
    const path = join(COMPILED, entry.name);
    const names = entry.isDirectory() ? (readdirSync(path, { recursive: true }) as string[]) : [''];
    return names.map((name) => join(path, name)).filter((file) => file.endsWith('.js'));
  });
}
