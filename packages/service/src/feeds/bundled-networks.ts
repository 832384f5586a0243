import { listOrigin, listPath } from '../lists/read-list.ts';
import { compileNetworks, type Overlays } from './compile-networks.ts';
import { growingUint32, growingUint64 } from './growing-column.ts';
import { withKnownNames } from './network-table.ts';
import { linesOf } from './read-lines.ts';
import type { RangeTable } from './read-range-csv.ts';

const NETWORKS = 'networks/announced.csv.gz';
const COUNTRIES = 'networks/countries.csv.gz';

export interface BundledTables {
  readonly version: string;
  readonly networks: RangeTable;
  readonly countries: RangeTable;
}

/** What feeds add to the data that comes with the installation. */
export interface FreshNetworks {
  readonly overlays: Overlays;
  /** The newest feed’s day, ISO 8601. */
  readonly day: string;
  /** Replaces the bundled table. */
  readonly table?: { readonly day: string; readonly networks: RangeTable } | undefined;
}

/** Compiles the bundled network data together with the current feeds. */
export function compileBundledNetworks(fresh?: FreshNetworks, bundled = readBundledTables()): Uint8Array {
  if (fresh === undefined) return compileNetworks(bundled);
  const { overlays, day, table } = fresh;
  const networks = table === undefined ? bundled.networks : withKnownNames(table.networks, bundled.networks);
  const base = table === undefined ? bundled.version : `networks-${table.day}`;
  return compileNetworks({ ...bundled, networks, version: `${base}+${day}`, overlays });
}

/** The ranges, names and countries that come with the installation. */
export function readBundledTables(): BundledTables {
  return {
    version: `bundled-${listOrigin(NETWORKS).date}`,
    networks: readPackedTable(listPath(NETWORKS)),
    countries: readPackedTable(listPath(COUNTRIES)),
  };
}

/**
 * Reads a table that `scripts/network-tables.mjs` wrote, which is a twentieth of the size of the files it is made from. A
 * line is `gap,length,label`: how many keys after the end of the range before, how many keys more than one, and the
 * label’s index, or `+` and its text where it occurs first. The line `ipv6` starts the IPv6 ranges; `#` starts a comment.
 */
function readPackedTable(file: string): RangeTable {
  const labels: string[] = [];
  const labelIndex = (text: string): number =>
    text.startsWith('+') ? labels.push(text.slice(1)) - 1 : Number(text);
  const ipv4 = { first: growingUint32(), last: growingUint32(), label: growingUint32() };
  const ipv6 = { first: growingUint64(), last: growingUint64(), label: growingUint32() };
  const addIpv4 = (gap: string, length: string, label: number): void => {
    const first = (ipv4.last.last() ?? -1) + 1 + Number(gap);
    ipv4.first.push(first);
    ipv4.last.push(first + Number(length));
    ipv4.label.push(label);
  };
  const addIpv6 = (gap: string, length: string, label: number): void => {
    const first = (ipv6.last.last() ?? -1n) + 1n + BigInt(gap);
    ipv6.first.push(first);
    ipv6.last.push(first + BigInt(length));
    ipv6.label.push(label);
  };
  let add = addIpv4;
  for (const line of linesOf(file)) {
    if (line === 'ipv6') add = addIpv6;
    if (line === 'ipv6' || line.startsWith('#')) continue;
    const comma = line.indexOf(',');
    const second = line.indexOf(',', comma + 1);
    add(line.slice(0, comma), line.slice(comma + 1, second), labelIndex(line.slice(second + 1)));
  }
  return { ipv4: finished(ipv4), ipv6: finished(ipv6), labels };
}

interface Finishing<Column> {
  readonly finish: () => Column;
}

function finished<Column, Label>(columns: {
  readonly first: Finishing<Column>;
  readonly last: Finishing<Column>;
  readonly label: Finishing<Label>;
}) {
  const { first, last, label } = columns;
  return { first: first.finish(), last: last.finish(), label: label.finish() };
}
