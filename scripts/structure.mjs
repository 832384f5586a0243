import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './checkout.mjs';
import { findViolations } from './find-violations.mjs';
import { countLines, describeLines, overBudget } from './line-budget.mjs';
import { readModule } from './read-module.mjs';

const NOT_SOURCE = new Set(['node_modules', 'dist', 'data', 'coverage']);
const SOURCE = /\.(ts|tsx|mjs)$/;

/** Reads every source file of the repository. */
export function readRepository(root = ROOT) {
  return ['packages', 'scripts', 'bench', 'eval']
    .flatMap((folder) => sourceFiles(join(root, folder)))
    .map((path) => readModule(relativePath(root, path), readFileSync(path, 'utf8')));
}

/** The line budget covers every folder. */
function countRepository(root) {
  return countLines(
    sourceFiles(root).map((path) => ({
      path: relativePath(root, path),
      lines: readFileSync(path, 'utf8').split('\n').length - 1,
    })),
  );
}

const relativePath = (root, path) => relative(root, path).split(sep).join('/');

function sourceFiles(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    // Tools keep what they made in folders like `.next`.
    const isSource = !NOT_SOURCE.has(entry.name) && !entry.name.startsWith('.');
    if (entry.isDirectory()) return isSource ? sourceFiles(path) : [];
    return SOURCE.test(entry.name) ? [path] : [];
  });
}

function argumentAfter(name) {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

// `--root` names another checkout.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = argumentAfter('--root') ?? ROOT;
  const modules = readRepository(root);
  const rows = countRepository(root);
  console.log(`${describeLines(rows)}\n`);
  const violations = [...findViolations(modules), ...overBudget(rows)];
  for (const violation of violations) console.log(violation);
  const arrows = modules.reduce((count, { imports }) => count + imports.length, 0);
  console.log(
    violations.length === 0
      ? `The structure rules hold: ${modules.length} files, ${arrows} imports.`
      : `${violations.length} violations of the structure rules (see scripts/structure-rules.mjs).`,
  );
  process.exitCode = violations.length === 0 ? 0 : 1;
}
