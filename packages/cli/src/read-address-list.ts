/**
 * The addresses in a text: one per line, or a table with commas, semicolons or tabs. In a table the column with an
 * email heading is used, or else the first one with an @ in its first row.
 */
export function readAddressList(text: string): string[] {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [first] = rows;
  if (first === undefined) return [];
  const separator = separatorOf(first);
  if (separator === undefined) return rows.filter((line, index) => index > 0 || !isTitle(line)).map(unquote);

  const titles = splitRow(first, separator);
  const titled = titles.findIndex(isTitle);
  const column =
    titled >= 0
      ? titled
      : Math.max(
          0,
          titles.findIndex((cell) => cell.includes('@')),
        );
  return rows
    .slice(titled >= 0 ? 1 : 0)
    .map((row) => splitRow(row, separator)[column] ?? '')
    .filter((cell) => cell !== '');
}

function isTitle(cell: string): boolean {
  return /^"?(e-?mail|e-?mail[ _-]?address|address)"?$/i.test(cell.trim());
}

function separatorOf(row: string): string | undefined {
  return [',', ';', '\t'].find((separator) => splitRow(row, separator).length > 1);
}

/** RFC 4180: a quoted cell can contain separators, and doubled quotes. */
function splitRow(row: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < row.length; at += 1) {
    const character = row.charAt(at);
    if (character === '"' && quoted && row.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (quoted || cell.trim() === '')) {
      quoted = !quoted;
      cell = quoted ? '' : cell;
    } else if (character === separator && !quoted) {
      cells.push(cell.trim());
      cell = '';
    } else {
      cell += character;
    }
  }
  return [...cells, cell.trim()];
}

function unquote(line: string): string {
  return splitRow(line, '\0')[0] ?? '';
}
