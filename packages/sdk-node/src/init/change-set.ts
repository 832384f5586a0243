import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file before and after. `null`: it does not exist. */
export interface Change {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** Holds the files as they were, secrets of an .env included: it belongs into .gitignore. */
export const UNDO_FILE = '.postern-init.json';

/** What can be undone: the files as they were, and as this command left them. */
type Undo = readonly Change[];

/** Writes all files, and what is needed to undo it. */
export function applyChanges(folder: string, changes: readonly Change[]): void {
  const earlier = readUndo(folder) ?? [];
  // A second run keeps what the first one found.
  const kept = changes.map((change) => {
    const first = earlier.find(({ path }) => path === change.path);
    return first === undefined ? change : { ...change, before: first.before };
  });
  const others = earlier.filter(({ path }) => !changes.some((change) => change.path === path));
  writeFileSync(join(folder, UNDO_FILE), `${JSON.stringify([...others, ...kept], null, 2)}\n`);
  for (const { path, after } of changes) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), after);
  }
}

/** Puts every file back. Returns the files that somebody has changed since, which stay; `null` if there is nothing to undo. */
export function undoChanges(folder: string): readonly string[] | null {
  const changes = readUndo(folder);
  if (changes === null) return null;
  const current = (path: string) =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null;
  const edited = changes.filter(({ path, after }) => current(path) !== after);
  // An .env with keys may stay, so its line in .gitignore does too.
  const kept =
    edited.length === 0
      ? []
      : changes.filter((change) => edited.includes(change) || change.path === '.gitignore');
  for (const { path, before } of changes.filter((change) => !kept.includes(change))) {
    if (before === null) rmSync(join(folder, path), { force: true });
    else writeFileSync(join(folder, path), before);
  }
  if (kept.length === 0) rmSync(join(folder, UNDO_FILE));
  else writeFileSync(join(folder, UNDO_FILE), `${JSON.stringify(kept, null, 2)}\n`);
  return edited.map(({ path }) => path);
}

function readUndo(folder: string): Undo | null {
  const path = join(folder, UNDO_FILE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Undo) : null;
}

/** The change as lines, `+` and `-`, with three lines around each. */
export function diffOf({ path, before, after }: Change): string {
  const old = before === null ? [] : before.split('\n');
  const lines = mark(old, after.split('\n'));
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - 3), index + 4).some((line) => !line.startsWith(' ')),
  );
  const body = lines.flatMap((line, index) => (shown[index] ? [line] : shown[index - 1] ? ['  …'] : []));
  return [`--- ${before === null ? 'new file' : path}`, `+++ ${path}`, ...body].join('\n');
}

/** Longest common subsequence of lines. The files are a person’s own, of a few hundred lines. */
function mark(old: readonly string[], fresh: readonly string[]): string[] {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push(`  ${old[i]}`);
      i += 1;
      j += 1;
    } else if (i < old.length && (j === fresh.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`- ${old[i]}`);
      i += 1;
    } else {
      lines.push(`+ ${fresh[j]}`);
      j += 1;
    }
  }
  return lines;
}
