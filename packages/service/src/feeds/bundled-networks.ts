import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileNetworks, type Overlays } from './compile-networks.ts';
import { withKnownNames } from './network-table.ts';
import { forEachLine } from './read-lines.ts';
import { createRangeTableReader, type RangeTable } from './read-range-csv.ts';

const NETWORKS_PACKAGE = '@ip-location-db/asn';
const COUNTRIES_PACKAGE = '@ip-location-db/asn-country';

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

/** The ranges, names and countries from the npm packages. */
export async function readBundledTables(): Promise<BundledTables> {
  const { resolve } = createRequire(import.meta.url);
  const folder = (name: string): string => join(resolve(`${name}/package.json`), '..');
  const read = async (name: string, file: string): Promise<RangeTable> => {
    const reader = createRangeTableReader();
    await forEachLine(join(folder(name), `${file}-ipv4-num.csv`), reader.addIpv4);
    await forEachLine(join(folder(name), `${file}-ipv6-num.csv`), reader.addIpv6);
    return reader.finish();
  };
  const manifest: unknown = JSON.parse(
    await readFile(join(folder(NETWORKS_PACKAGE), 'package.json'), 'utf8'),
  );
  const networks = await read(NETWORKS_PACKAGE, 'asn');
  const countries = await read(COUNTRIES_PACKAGE, 'asn-country');
  return { version: `bundled-${dateOfVersion(manifest)}`, networks, countries };
}

/** These packages are numbered by the hour of their data: 2.3.2026061719. */
function dateOfVersion(manifest: unknown): string {
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : '';
  const date = /\.(\d{4})(\d{2})(\d{2})\d{2}$/.exec(version);
  return date === null ? version : `${date[1]}-${date[2]}-${date[3]}`;
}
