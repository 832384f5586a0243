/** Tests and their support files can import anything. */
export const isTest = (path) => /\.test\.tsx?$/.test(path) || /^packages\/[^/]+\/test\//.test(path);

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
