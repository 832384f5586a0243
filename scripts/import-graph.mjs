/** Tests and their support files can import anything. */
export const isTest = (path) => /\.test\.tsx?$/.test(path) || /^packages\/[^/]+\/test\//.test(path);

/** How large the import graph of the packages’ sources is. Tests are left out. */
export function countGraph(modules) {
  const sources = modules.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path));
  const known = new Set(sources.map(({ path }) => path));
  const imports = new Set();
  const arrows = new Set();
  for (const { path, imports: all } of sources) {
    for (const { target } of all) {
      if (!known.has(target)) continue;
      imports.add(`${path} > ${target}`);
      const [from, to] = [folderOf(path), folderOf(target)];
      if (from !== to) arrows.add(`${from} > ${to}`);
    }
  }
  const lines = sources.reduce((sum, module) => sum + module.lines, 0);
  return {
    modules: sources.length,
    lines,
    folders: new Set(sources.map(({ path }) => folderOf(path))).size,
    imports: imports.size,
    arrows: arrows.size,
    cycles: findCycles(sources).length,
  };
}

export function describeGraph({ modules, lines, folders, imports, arrows, cycles }) {
  return [
    `modules\t${modules}`,
    `lines\t${lines}`,
    `folders\t${folders}`,
    `imports between modules\t${imports}`,
    `arrows between folders\t${arrows}`,
    `cycles\t${cycles}`,
  ].join('\n');
}

const folderOf = (path) => path.slice(0, path.lastIndexOf('/'));

/** The groups of files that import each other, by Tarjan’s algorithm. Type imports count too. */
export function findCycles(modules) {
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
      found.push(members.sort());
    }
  };
  for (const path of edges.keys()) if (!order.has(path)) connect(path);
  return found;
}
