/** ISO/IEC 18004, table 10: which modules each mask turns over. */
export const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Section 7.8.3: how much a picture could confuse a reader. Any mask can be read; the least confusing is best. */
export function penaltyOf(modules: readonly (readonly boolean[])[]): number {
  const size = modules.length;
  const rows = modules.map((row) => row.map((dark) => (dark ? '1' : '0')).join(''));
  const columns = rows.map((_, x) => rows.map((row) => row[x]).join(''));
  const lines = [...rows, ...columns];
  let penalty = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
    for (const pattern of ['00001011101', '10111010000']) penalty += 40 * occurrences(line, pattern);
  }
  for (let y = 1; y < size; y += 1) {
    for (let x = 1; x < size; x += 1) {
      const dark = modules[y]?.[x];
      if (dark === modules[y - 1]?.[x] && dark === modules[y]?.[x - 1] && dark === modules[y - 1]?.[x - 1])
        penalty += 3;
    }
  }
  const dark = occurrences(rows.join(''), '1') / (size * size);
  return penalty + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

function occurrences(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) count += 1;
  return count;
}
