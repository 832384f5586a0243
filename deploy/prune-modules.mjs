/**
 * Deletes from node_modules what the service does not need to run; part of the image’s build. `npm ci` also installs what
 * packages only could use (better-auth names React, Vite and Vitest as optional peers), source maps, type declarations
 * and binaries for other systems.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(process.argv[2] ?? '.');
const START = ['packages/contract', 'packages/service', 'packages/cli'];

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** As Node looks for it: beside the package, then upwards. */
function find(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

function neededBy({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

function reachable() {
  const kept = new Set();
  const waiting = START.map((folder) => join(root, folder));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of neededBy(manifestOf(folder))) {
      const found = find(name, folder);
      if (found === undefined || kept.has(found)) continue;
      kept.add(found);
      waiting.push(found);
    }
  }
  return kept;
}

/** Every folder of a package below a node_modules folder. */
function* packagesIn(modules) {
  if (!existsSync(modules)) return;
  for (const name of readdirSync(modules)) {
    if (name.startsWith('.')) continue;
    const folder = join(modules, name);
    if (name.startsWith('@')) {
      for (const part of readdirSync(folder)) yield join(folder, part);
    } else yield folder;
  }
}

const USELESS = /\.(map|d\.ts|d\.mts|d\.cts|md|markdown|flow)$/;
const LICENCE = /licen[cs]e|notice|copying/i;
const platform = `${process.platform}-${process.arch}`;

function isUseless(path, name, isFolder) {
  if (isFolder) return /\/prebuilds$/.test(dirname(path)) && name !== platform;
  return USELESS.test(name) && !LICENCE.test(name);
}

/** Links are not followed: a package of the workspace keeps its files. */
function clean(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (isUseless(path, entry.name, entry.isDirectory())) rmSync(path, { recursive: true });
    else if (entry.isDirectory()) clean(path);
  }
}

const kept = reachable();
const removed = [];
for (const modules of [
  join(root, 'node_modules'),
  ...START.map((folder) => join(root, folder, 'node_modules')),
]) {
  for (const folder of [...packagesIn(modules)]) {
    // The workspace’s own packages are links.
    if (kept.has(folder) || lstatSync(folder).isSymbolicLink()) continue;
    removed.push(relative(root, folder));
    rmSync(folder, { recursive: true });
  }
  if (existsSync(modules)) clean(modules);
}
rmSync(join(root, 'node_modules/.bin'), { recursive: true, force: true });
process.stdout.write(`kept ${kept.size} packages, removed ${removed.length}\n`);
if (process.argv.includes('--list')) process.stdout.write(`${removed.join('\n')}\n`);
