import { isTest } from './import-graph.mjs';
import { LAYERS } from './structure-rules.mjs';

/** A single file can be a layer of its own, such as `config.ts`. */
const SINGLE_FILES = new Set(LAYERS.map(({ layer }) => layer).filter((layer) => layer.endsWith('.ts')));
/** The files directly in `packages/service/src` that no rule names. They connect everything else. */
export const ROOT_FILES = 'service.ts';

/** The packages and what each imports from the others, as a map of sets. */
export function packageGraph(modules) {
  return graphOf(modules, (path) => /^packages\/([^/]+)\/src\//.exec(path)?.[1]);
}

/** The folders of the service and what each imports from the others. */
export function serviceGraph(modules) {
  return graphOf(modules, (path) => {
    const [, inside] = /^packages\/service\/src\/(.+)$/.exec(path) ?? [];
    if (inside === undefined) return undefined;
    if (inside.includes('/')) return `${inside.slice(0, inside.indexOf('/'))}/`;
    return SINGLE_FILES.has(path) ? inside : ROOT_FILES;
  });
}

function graphOf(modules, nodeOf) {
  const graph = new Map();
  for (const { path, imports } of modules) {
    const from = isTest(path) ? undefined : nodeOf(path);
    if (from === undefined) continue;
    if (!graph.has(from)) graph.set(from, new Set());
    for (const { target } of imports) {
      const to = target === undefined ? undefined : nodeOf(target);
      if (to !== undefined && to !== from) graph.get(from).add(to);
    }
  }
  return graph;
}

/**
 * The nodes in rows: a node imports only from the rows below its own, and the last row imports nothing. Names are in
 * alphabetical order within a row.
 */
export function rowsOf(graph) {
  const heights = new Map();
  const heightOf = (name, above = []) => {
    if (above.includes(name)) throw new Error(`These import each other: ${[...above, name].join(' > ')}`);
    if (!heights.has(name)) {
      const below = [...(graph.get(name) ?? [])].map((target) => heightOf(target, [...above, name]));
      heights.set(name, Math.max(-1, ...below) + 1);
    }
    return heights.get(name);
  };
  const rows = [];
  for (const name of [...graph.keys()].sort()) {
    const height = heightOf(name);
    rows[height] = [...(rows[height] ?? []), name];
  }
  return rows.reverse();
}

/** For each node in the order of the rows: its name, what it imports, and what imports it. */
export function describeNodes(graph) {
  return rowsOf(graph)
    .flat()
    .map((name) => ({
      name,
      imports: [...graph.get(name)].sort(),
      importedBy: [...graph.keys()].filter((other) => graph.get(other).has(name)).sort(),
    }));
}

const WIDTH = 760;
const BOX = { height: 38, gap: 14, padding: 16, rowGap: 26, letter: 8.4 };

/** The rows as a drawing, in the style of the other drawings in `docs/diagrams`. */
export function drawRows(graph, title) {
  const rows = rowsOf(graph);
  const height = rows.length * (BOX.height + BOX.rowGap) + 24;
  const topOf = (index) => 10 + index * (BOX.height + BOX.rowGap);
  const boxes = rows.flatMap((names, index) => drawRow(names, topOf(index)));
  const lines = rows
    .slice(1)
    .map((_, index) => `<path class="line" d="M20 ${topOf(index + 1) - BOX.rowGap / 2} H${WIDTH - 20}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img"><title>${title}</title>
<style>
text{font:15px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:#141922;text-anchor:middle}
.s{font-size:13px;fill:#465062}.box{fill:#f4f6f9;stroke:#c6ccd6}.line{stroke:#c6ccd6;stroke-dasharray:5 4}
@media(prefers-color-scheme:dark){text{fill:#e9ecf1}.s{fill:#b3bbc8}.box{fill:#151a22;stroke:#3c4552}.line{stroke:#3c4552}}
</style>
${[...boxes, ...lines].join('\n')}
<text class="s" x="${WIDTH / 2}" y="${height - 14}">Each box imports only from rows below its own.</text>
</svg>
`;
}

function drawRow(names, top) {
  const widths = names.map((name) => Math.round(name.length * BOX.letter + 2 * BOX.padding));
  const total = widths.reduce((sum, width) => sum + width, 0) + BOX.gap * (names.length - 1);
  if (total > WIDTH) throw new Error(`The row ${names.join(', ')} is too wide for the drawing`);
  let left = Math.round((WIDTH - total) / 2);
  return names.map((name, index) => {
    const width = widths[index];
    const box = `<rect class="box" x="${left}" y="${top}" width="${width}" height="${BOX.height}" rx="8"/>
<text x="${left + width / 2}" y="${top + 24}">${name}</text>`;
    left += width + BOX.gap;
    return box;
  });
}
