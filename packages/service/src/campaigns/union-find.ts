/** Sets of numbers from 0 to `size - 1` that can be joined: each join and each question takes nearly constant time. */
export interface UnionFind {
  join(one: number, other: number): void;
  /** The number that stands for the set. */
  rootOf(one: number): number;
}

export function createUnionFind(size: number): UnionFind {
  const parent = Int32Array.from({ length: size }, (_, index) => index);
  const sizes = new Int32Array(size).fill(1);
  const rootOf = (one: number): number => {
    let at = one;
    for (;;) {
      const above = parent[at] ?? at;
      if (above === at) return at;
      // Each step shortens the way for the next question.
      const next = parent[above] ?? above;
      parent[at] = next;
      at = next;
    }
  };
  return {
    rootOf,
    join(one, other) {
      const [a, b] = [rootOf(one), rootOf(other)];
      if (a === b) return;
      const [sizeA, sizeB] = [sizes[a] ?? 0, sizes[b] ?? 0];
      const [small, large] = sizeA < sizeB ? [a, b] : [b, a];
      parent[small] = large;
      sizes[large] = sizeA + sizeB;
    },
  };
}
