import { listOrigin, listPath } from '../lists/read-list.ts';
import { compileNetworks, type Overlays } from './compile-networks.ts';
import { withKnownNames } from './network-table.ts';
import { readPackedTable } from './read-packed-table.ts';
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
export async function compileBundledNetworks(fresh?: FreshNetworks): Promise<Uint8Array> {
  const bundled = await readBundledTables();
  if (fresh === undefined) return compileNetworks(bundled);
  const { overlays, day, table } = fresh;
  const networks = table === undefined ? bundled.networks : withKnownNames(table.networks, bundled.networks);
  const base = table === undefined ? bundled.version : `networks-${table.day}`;
  return compileNetworks({ ...bundled, networks, version: `${base}+${day}`, overlays });
}

/** The ranges, names and countries that come with the installation. */
export async function readBundledTables(): Promise<BundledTables> {
  return {
    version: `bundled-${listOrigin(NETWORKS).date}`,
    networks: await readPackedTable(listPath(NETWORKS)),
    countries: await readPackedTable(listPath(COUNTRIES)),
  };
}
