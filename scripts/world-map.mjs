// node scripts/world-map.mjs COUNTRIES CODES: writes the shapes of the dashboard’s map.
// COUNTRIES is countries-110m.json of the npm package world-atlas, CODES is codes.json of i18n-iso-countries.
// Afterwards run `npm run format`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, say, Trouble } from './checkout.mjs';

const TARGET = join(ROOT, 'packages', 'dashboard', 'src', 'pages', 'overview', 'world-shapes.ts');
/** Every coordinate is a whole number on this grid. */
const WIDTH = 1000;
/** Without Antarctica, nothing is further south. */
const SOUTH = -57;
const NORTH = 84;
/** The atlas has no number for it. */
const KOSOVO = 'XK';

/** The Natural Earth projection of Patterson and Šavrič, from degrees to a plane around 0. */
function project([longitude, latitude]) {
  const [lambda, phi] = [longitude, latitude].map((degrees) => (degrees * Math.PI) / 180);
  const phi2 = phi * phi;
  const phi4 = phi2 * phi2;
  const x =
    lambda * (0.8707 - 0.131979 * phi2 + phi4 * (-0.013791 + phi4 * (0.003971 * phi2 - 0.001529 * phi4)));
  const y = phi * (1.007226 + phi2 * (0.015085 + phi4 * (-0.044475 + 0.028874 * phi2 - 0.005916 * phi4)));
  return [x, y];
}

const [east] = project([180, 0]);
const [, top] = project([0, NORTH]);
const [, bottom] = project([0, SOUTH]);
const scale = WIDTH / (2 * east);
const height = Math.round((top - bottom) * scale);

function toGrid(point) {
  const [x, y] = project(point);
  return [Math.round((x + east) * scale), Math.round((top - y) * scale)];
}

/** The atlas keeps borders once, as differences, and countries as lists of borders. */
function readArcs({ arcs, transform }) {
  return arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]) => {
      x += dx;
      y += dy;
      return [
        x * transform.scale[0] + transform.translate[0],
        y * transform.scale[1] + transform.translate[1],
      ];
    });
  });
}

function ringPoints(arcs, ring) {
  const points = ring.flatMap((index) => {
    const arc = index < 0 ? arcs[~index].toReversed() : arcs[index];
    return arc.slice(1);
  });
  return unwrapped(points).map(toGrid);
}

/** Russia and Fiji go beyond 180°. They are drawn in one piece, further east, not as a line across the map. */
function unwrapped(points) {
  let before = points[0][0];
  const inOnePiece = points.map(([longitude, latitude]) => {
    before = longitude - 360 * Math.round((longitude - before) / 360);
    return [before, latitude];
  });
  const middle = inOnePiece.reduce((sum, [longitude]) => sum + longitude, 0) / inOnePiece.length;
  const turns = Math.round(middle / 360);
  return inOnePiece.map(([longitude, latitude]) => [longitude - 360 * turns, latitude]);
}

/** A closed path with relative steps, without points that fall on the one before. Islands of one point are left out. */
function ringPath(points) {
  const kept = points.filter(
    ([x, y], index) => index === 0 || x !== points[index - 1][0] || y !== points[index - 1][1],
  );
  if (kept.length < 3) return '';
  const steps = kept.slice(1).map(([x, y], index) => `${x - kept[index][0]} ${y - kept[index][1]}`);
  return `M${kept[0].join(' ')}l${steps.join(' ')}z`.replaceAll(' -', '-');
}

function countryPath(arcs, { type, arcs: rings }) {
  const polygons = type === 'Polygon' ? [rings] : rings;
  return polygons.flatMap((polygon) => polygon.map((ring) => ringPath(ringPoints(arcs, ring)))).join('');
}

await run(async () => {
  const [countries, codes] = process.argv.slice(2);
  if (countries === undefined || codes === undefined)
    throw new Trouble('Name the two files. See the first lines.');
  const atlas = JSON.parse(readFileSync(countries, 'utf8'));
  const alpha2 = new Map(JSON.parse(readFileSync(codes, 'utf8')).map(([two, , number]) => [number, two]));
  const arcs = readArcs(atlas);
  const shapes = {};
  for (const { id, properties, ...geometry } of atlas.objects.countries.geometries) {
    const code = properties.name === 'Kosovo' ? KOSOVO : (alpha2.get(id) ?? properties.name);
    const path = code === 'AQ' ? '' : countryPath(arcs, geometry);
    if (path !== '') shapes[code] = path;
  }
  const lines = Object.entries(shapes)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([code, path]) =>
        `  ${/^\w+$/.test(code) ? code : JSON.stringify(code).replaceAll('"', "'")}: '${path}',`,
    );
  writeFileSync(
    TARGET,
    `// Made by scripts/world-map.mjs from world-atlas 2.0.2 (ISC; the geometry is Natural Earth’s, public domain).

export const WORLD_SIZE = { width: ${WIDTH}, height: ${height} };

/** The outline of each country by its code, or by its name if it has none. Small states have no outline at this scale. */
export const WORLD_SHAPES: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`,
  );
  say(`${lines.length} countries in ${TARGET}`);
});
