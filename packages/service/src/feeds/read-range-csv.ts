import { type GrowingColumn, growingUint32, growingUint64 } from './growing-column.ts';

/**
 * Ranges in ascending order, both ends inclusive. If two overlap, the first one counts. IPv4 keys are addresses. IPv6
 * keys are the upper half of addresses, one /64 each.
 */
export interface RangeColumns<Key extends number | bigint> {
  readonly first: ArrayLike<Key>;
  readonly last: ArrayLike<Key>;
  /** Indexes into `labels`. */
  readonly label: ArrayLike<number>;
}

export interface RangeTable {
  readonly ipv4: RangeColumns<number>;
  readonly ipv6: RangeColumns<bigint>;
  /** The text after the second comma of a line. */
  readonly labels: readonly string[];
}

/** Reads a table line by line, so that the whole file is never in memory. */
export interface RangeTableReader {
  readonly addIpv4: (line: string) => void;
  readonly addIpv6: (line: string) => void;
  readonly finish: () => RangeTable;
}

/**
 * Reads lines of `first,last,label`, with addresses as numbers, as in the ip-location-db files. Throws an Error that
 * names the first malformed line.
 */
export function createRangeTableReader(): RangeTableReader {
  const labels = new Map<string, number>();
  const labelIndex = (label: string): number => {
    const number = labels.get(label);
    if (number !== undefined) return number;
    labels.set(ownCopy(label), labels.size);
    return labels.size - 1;
  };
  const ipv4 = createColumnsReader(growingUint32(), growingUint32(), ipv4Key, labelIndex);
  const ipv6 = createColumnsReader(growingUint64(), growingUint64(), ipv6Key, labelIndex);
  return {
    addIpv4: ipv4.add,
    addIpv6: ipv6.add,
    finish: () => ({ ipv4: ipv4.finish(), ipv6: ipv6.finish(), labels: [...labels.keys()] }),
  };
}

type LineFault = 'not first,last,label' | 'out of order';

function createColumnsReader<Key extends number | bigint, Column extends ArrayLike<Key>>(
  first: GrowingColumn<Key, Column>,
  last: GrowingColumn<Key, Column>,
  keyOf: (text: string) => Key | undefined,
  labelIndex: (label: string) => number,
): { add: (line: string) => void; finish: () => RangeColumns<Key> } {
  const label = growingUint32();
  let lineNumber = 0;
  const refusal = (fault: LineFault) => new Error(`range file, line ${lineNumber}: ${fault}`);
  const add = (raw: string): void => {
    lineNumber += 1;
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line === '') return;
    const comma = line.indexOf(',');
    const second = line.indexOf(',', comma + 1);
    const start = keyOf(line.slice(0, comma));
    const end = keyOf(line.slice(comma + 1, second));
    if (second < 0 || start === undefined || end === undefined) throw refusal('not first,last,label');
    const startBefore = first.last();
    const endBefore = last.last();
    if (end < start || (startBefore !== undefined && start < startBefore)) throw refusal('out of order');
    // The published files have ranges that overlap by mistake, and several inside one /64. The first one wins.
    if (endBefore !== undefined && end <= endBefore) return;
    first.push(start);
    last.push(end);
    label.push(labelIndex(line.slice(second + 1)));
  };
  return {
    add,
    finish: () => ({ first: first.finish(), last: last.finish(), label: label.finish() }),
  };
}

/** A slice of a long text keeps the whole text in memory; a copy does not. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
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
