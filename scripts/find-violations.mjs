import { ENVIRONMENT, NAMES, RESERVED, ROOMS, SIZE, SQL } from './structure-rules.mjs';

/** Tests and their support may reach for anything. */
const isTest = (path) => /\.test\.tsx?$/.test(path) || /^packages\/[^/]+\/test\//.test(path);

/** Everything about these modules that the plan of the house forbids, as sentences with file and line. */
export function findViolations(modules) {
  const sources = modules.filter((module) => !isTest(module.path));
  return [
    ...sources.flatMap(wrongArrows),
    ...sources.flatMap(reservedImports),
    ...cycles(sources),
    ...sources.flatMap(environmentReads),
    ...sources.flatMap(strayStatements),
    ...modules.flatMap(oversize),
    ...modules.flatMap(badNames),
  ];
}

function wrongArrows({ path, imports }) {
  const room = roomOf(path);
  if (room === undefined) return [];
  return imports
    .filter(({ target }) => target !== undefined && !RESERVED.some(({ module }) => module.test(target)))
    .filter(({ target }) => !mayImport(room, roomOf(target), target))
    .map(({ target, line }) => `${path}:${line} imports ${target}: ${room.name} may not reach into there`);
}

function mayImport(room, targetRoom, target) {
  // A path outside every room (a script, a package without sources yet) is nobody’s to import.
  if (targetRoom === undefined) return false;
  if (targetRoom.name === room.name) return true;
  return room.imports.some((allowed) =>
    allowed.endsWith('/**') ? target.startsWith(allowed.slice(0, -2)) : allowed === targetRoom.pattern,
  );
}

/** The room with the longest path that fits; its name has the folder’s own name in place of `*`. */
function roomOf(path) {
  let best;
  for (const { room, imports } of ROOMS) {
    const name = matchRoom(room, path);
    if (name !== undefined && (best === undefined || name.length > best.name.length)) {
      best = { name, pattern: room, imports };
    }
  }
  return best;
}

function matchRoom(room, path) {
  if (room === path) return room;
  if (!room.endsWith('/*')) return path.startsWith(`${room}/`) ? room : undefined;
  const parent = room.slice(0, -1);
  const slash = path.indexOf('/', parent.length);
  return path.startsWith(parent) && slash !== -1 ? path.slice(0, slash) : undefined;
}

function reservedImports({ path, imports }) {
  return RESERVED.flatMap(({ what, module, importers }) =>
    imports
      .filter(({ target }) => target !== undefined && module.test(target))
      .filter(() => !importers.some((importer) => path.startsWith(importer)))
      .map(({ target, line }) => `${path}:${line} imports ${target}: only ${importers[0]} names ${what}`),
  );
}

function environmentReads({ path, environment }) {
  if (!path.startsWith(ENVIRONMENT.within) || ENVIRONMENT.readers.includes(path)) return [];
  return environment.map((line) => `${path}:${line} reads the environment: only config.ts does`);
}

function strayStatements({ path, strings }) {
  if (!path.startsWith(SQL.within) || SQL.homes.some((home) => path.startsWith(home))) return [];
  return strings
    .filter(({ text }) => isStatement(text))
    .map(({ line }) => `${path}:${line} holds SQL: statements live in store/`);
}

/** People write a statement’s verb in one case; “Select a project from the list” is prose. */
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

/** Tarjan’s strongly connected components; types count, because a type’s cycle binds two files as well. */
function cycles(modules) {
  const edges = new Map(modules.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  const order = new Map();
  const low = new Map();
  const stack = [];
  const onStack = new Set();
  const found = [];

  const connect = (path) => {
    order.set(path, order.size);
    low.set(path, order.get(path));
    stack.push(path);
    onStack.add(path);
    for (const target of edges.get(path)) {
      if (!edges.has(target)) continue;
      if (!order.has(target)) {
        connect(target);
        low.set(path, Math.min(low.get(path), low.get(target)));
      } else if (onStack.has(target)) {
        low.set(path, Math.min(low.get(path), order.get(target)));
      }
    }
    if (low.get(path) !== order.get(path)) return;
    const members = [];
    let member;
    do {
      member = stack.pop();
      onStack.delete(member);
      members.push(member);
    } while (member !== path);
    if (members.length > 1 || edges.get(path).includes(path)) {
      found.push(`These import each other in a circle: ${members.sort().join(', ')}`);
    }
  };
  for (const path of edges.keys()) if (!order.has(path)) connect(path);
  return found;
}
