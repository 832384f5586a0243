import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Replaces the content of `folder` with that of `next` while it is being served. New assets are added before the page
 * that uses them, the page is replaced atomically, and the old assets are removed last. `next` no longer exists
 * afterwards. It can be inside `folder`.
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
