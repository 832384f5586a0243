/**
 * Ranges in ascending order, both ends included; where two overlap the first one counts. IPv4 keys are addresses, IPv6 keys the upper
 * half of addresses: a /64 each.
 */
export interface RangeColumns<Key extends number | bigint> {
  readonly first: readonly Key[];
  readonly last: readonly Key[];
  /** Indexes into `labels`. */
  readonly label: readonly number[];
}

export interface RangeTable {
  readonly ipv4: RangeColumns<number>;
  readonly ipv6: RangeColumns<bigint>;
  /** What stands after the second comma of a line. */
  readonly labels: readonly string[];
}

/**
 * Reads lines of `first,last,label`, addresses as numbers, as the ip-location-db files have them. Throws an Error
 * that names the line where the file is not that.
 */
export function readRangeCsv(ipv4Csv: string, ipv6Csv: string): RangeTable {
  const labels = new Map<string, number>();
  const labelIndex = (label: string): number => {
    const known = labels.get(label);
    if (known !== undefined) return known;
    labels.set(label, labels.size);
    return labels.size - 1;
  };
  const ipv4 = readColumns(ipv4Csv, ipv4Key, labelIndex);
  const ipv6 = readColumns(ipv6Csv, ipv6Key, labelIndex);
  return { ipv4, ipv6, labels: [...labels.keys()] };
}

type LineFault = 'not first,last,label' | 'out of order';

function readColumns<Key extends number | bigint>(
  csv: string,
  keyOf: (text: string) => Key | undefined,
  labelIndex: (label: string) => number,
): RangeColumns<Key> {
  const columns: { first: Key[]; last: Key[]; label: number[] } = { first: [], last: [], label: [] };
  let lineNumber = 0;
  const refuse = (fault: LineFault): never => {
    throw new Error(`range file, line ${lineNumber}: ${fault}`);
  };
  for (let start = 0; start < csv.length; ) {
    let end = csv.indexOf('\n', start);
    if (end < 0) end = csv.length;
    const line = csv.slice(start, csv.charCodeAt(end - 1) === 13 ? end - 1 : end);
    start = end + 1;
    lineNumber++;
    if (line === '') continue;
    const comma = line.indexOf(',');
    const second = line.indexOf(',', comma + 1);
    const first = keyOf(line.slice(0, comma));
    const last = keyOf(line.slice(comma + 1, second));
    if (second < 0 || first === undefined || last === undefined) return refuse('not first,last,label');
    const firstBefore = columns.first.at(-1);
    const lastBefore = columns.last.at(-1);
    if (last < first || (firstBefore !== undefined && first < firstBefore)) return refuse('out of order');
    // The published files have ranges that overlap by mistake, and several inside one /64: the first one has it.
    if (lastBefore !== undefined && last <= lastBefore) continue;
    columns.first.push(first);
    columns.last.push(last);
    columns.label.push(labelIndex(line.slice(second + 1)));
  }
  return columns;
}

function ipv4Key(text: string): number | undefined {
  if (!/^[0-9]{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value <= 0xffffffff ? value : undefined;
}

function ipv6Key(text: string): bigint | undefined {
  if (!/^[0-9]{1,39}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >> 128n === 0n ? value >> 64n : undefined;
}
