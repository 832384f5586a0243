import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Makes `folder` hold what `next` holds, under whoever serves it: what pages ask for is there before the page that asks for
 * it, the page is replaced in one step, and only then does what it asked for before go. `next` is gone afterwards; it
 * may lie inside `folder`.
 */
export function replaceBuild(next, folder) {
  const files = filesIn(next);
  const [page, others] = [files.filter(isPage), files.filter((file) => !isPage(file))];
  for (const file of [...others, ...page]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    renameSync(join(next, file), join(folder, file));
  }
  rmSync(next, { recursive: true, force: true });
  const kept = new Set(files);
  for (const file of filesIn(folder)) if (!kept.has(file)) rmSync(join(folder, file));
}

const isPage = (file) => file === 'index.html';

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesIn(join(folder, entry.name)).map((file) => join(entry.name, file))
      : [entry.name],
  );
}
