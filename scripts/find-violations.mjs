import { ENVIRONMENT, LAYERS, NAMES, RESERVED, SIZE, SQL } from './structure-rules.mjs';

/** Tests and their support files can import anything. */
const isTest = (path) => /\.test\.tsx?$/.test(path) || /^packages\/[^/]+\/test\//.test(path);

/** Everything in these modules that breaks the structure rules, as messages with file and line. */
export function findViolations(modules) {
  const sources = modules.filter((module) => !isTest(module.path));
  return [
    ...sources.flatMap(forbiddenImports),
    ...sources.flatMap(reservedImports),
    ...cycles(sources),
    ...sources.flatMap(environmentReads),
    ...sources.flatMap(misplacedSql),
    ...modules.flatMap(oversize),
    ...modules.flatMap(badNames),
  ];
}

function forbiddenImports({ path, imports }) {
  const layer = layerOf(path);
  if (layer === undefined) return [];
  return imports
    .filter(({ target }) => target !== undefined && !RESERVED.some(({ module }) => module.test(target)))
    .filter(({ target }) => !mayImport(layer, layerOf(target), target))
    .map(
      ({ target, line }) => `${path}:${line()} imports ${target}: ${layer.name} must not import from there`,
    );
}

function mayImport(layer, targetLayer, target) {
  // A path outside every layer (a script, a package without sources) must not be imported.
  if (targetLayer === undefined) return false;
  if (targetLayer.name === layer.name) return true;
  return layer.imports.some((allowed) =>
    allowed.endsWith('/**') ? target.startsWith(allowed.slice(0, -2)) : allowed === targetLayer.pattern,
  );
}

/** The layer with the longest matching path. In its name, `*` is replaced by the folder’s name. */
function layerOf(path) {
  let best;
  for (const { layer, imports } of LAYERS) {
    const name = matchLayer(layer, path);
    if (name !== undefined && (best === undefined || name.length > best.name.length)) {
      best = { name, pattern: layer, imports };
    }
  }
  return best;
}

function matchLayer(layer, path) {
  if (layer === path) return layer;
  if (!layer.endsWith('/*')) return path.startsWith(`${layer}/`) ? layer : undefined;
  const parent = layer.slice(0, -1);
  const slash = path.indexOf('/', parent.length);
  return path.startsWith(parent) && slash !== -1 ? path.slice(0, slash) : undefined;
}

function reservedImports({ path, imports }) {
  return RESERVED.flatMap(({ what, module, importers }) =>
    imports
      .filter(({ target }) => target !== undefined && module.test(target))
      .filter(() => !importers.some((importer) => path.startsWith(importer)))
      .map(({ target, line }) => `${path}:${line()} imports ${target}: only ${importers[0]} names ${what}`),
  );
}

function environmentReads({ path, environment }) {
  if (!path.startsWith(ENVIRONMENT.within) || ENVIRONMENT.readers.includes(path)) return [];
  return environment.map((line) => `${path}:${line} reads the environment: only config.ts does`);
}

function misplacedSql({ path, strings }) {
  if (!path.startsWith(SQL.within) || SQL.homes.some((home) => path.startsWith(home))) return [];
  return strings
    .filter(({ text }) => isStatement(text))
    .map(({ line }) => `${path}:${line()} contains SQL: statements belong in store/`);
}

/** The verb of a statement is in one case. “Select a project from the list” is prose. */
function isStatement(text) {
  const [verb = ''] = text.trimStart().split(/\s/, 1);
  return (verb === verb.toUpperCase() || verb === verb.toLowerCase()) && SQL.statement.test(text);
}

function oversize({ path, lines }) {
  if (lines <= SIZE.maxLines || SIZE.free.some((pattern) => pattern.test(path))) return [];
  return [`${path} has ${lines} lines: split it, ${SIZE.maxLines} is the limit`];
}

function badNames({ path }) {
  if (NAMES.empty.test(path)) return [`${path}: the name says nothing about what is inside`];
  if (NAMES.barrel.test(path) && !NAMES.published.test(path)) {
    return [`${path} is a barrel: import the module itself`];
  }
  return [];
}

/** Files that import each other: for each way back to a file on the present path, the files from there. Types count too. */
function cycles(modules) {
  const edges = new Map(modules.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  const done = new Set();
  const visit = (path, trail) => {
    if (trail.includes(path))
      return [
        `These files import each other in a cycle: ${trail.slice(trail.indexOf(path)).sort().join(', ')}`,
      ];
    if (done.has(path) || !edges.has(path)) return [];
    const found = edges.get(path).flatMap((target) => visit(target, [...trail, path]));
    done.add(path);
    return found;
  };
  return [...edges.keys()].flatMap((path) => visit(path, []));
}
