import { readFile } from 'node:fs/promises';
import { Reader } from 'mmdb-lib';
import type { IpAddress } from '../model/ip-address.ts';
import type { NetworkKind } from './ip-ranges.ts';

/** A licensed database that the operator added. It knows single addresses. */
export interface OperatorDatabase {
  /** What the database is and when it was built. */
  readonly version: string;
  /** What the database says the address is; `undefined` if it says nothing. */
  readonly kindOf: (ip: IpAddress) => NetworkKind | undefined;
}

type Flags = Readonly<Record<string, unknown>>;

/**
 * The fields in which GeoIP2 Anonymous IP (`is_…`) and IPinfo privacy (`vpn`, …) state a class, in order of priority.
 * `is_anonymous` alone says too little to name one.
 */
const FIELDS: readonly (readonly [NetworkKind, readonly string[]])[] = [
  ['relay', ['relay', 'is_relay']],
  ['tor', ['is_tor_exit_node', 'tor', 'is_tor']],
  ['vpn', ['is_anonymous_vpn', 'vpn', 'is_vpn']],
  ['proxy', ['is_public_proxy', 'is_residential_proxy', 'proxy', 'is_proxy', 'is_res_proxy']],
  ['hosting', ['is_hosting_provider', 'hosting', 'is_hosting']],
];

/** Opens an `.mmdb` file. Throws an Error with the reason if it is not one. */
export async function loadOperatorDatabase(file: string): Promise<OperatorDatabase> {
  return openOperatorDatabase(await readFile(file));
}

export function openOperatorDatabase(bytes: Buffer): OperatorDatabase {
  const reader = openReader(bytes);
  const { databaseType, buildEpoch } = reader.metadata;
  return {
    version: `${databaseType} ${buildEpoch.toISOString().slice(0, 10)}`,
    kindOf: (ip) => kindOfRecord(reader.get(ip.text)),
  };
}

function openReader(bytes: Buffer): Reader<Flags> {
  try {
    return new Reader<Flags>(bytes);
  } catch (cause) {
    throw new Error('this is not a MaxMind database (.mmdb)', { cause });
  }
}

/** IPinfo writes its flags as booleans or as the text `true`, and nests them in some editions. */
function kindOfRecord(record: unknown): NetworkKind | undefined {
  if (!isFlags(record)) return undefined;
  const sources = [record, record.privacy, record.traits, record.anonymous, record.anonymizer].filter(
    isFlags,
  );
  const states = (field: string): boolean =>
    sources.some((flags) => flags[field] === true || flags[field] === 'true');
  return FIELDS.find(([, fields]) => fields.some(states))?.[0];
}

function isFlags(value: unknown): value is Flags {
  return typeof value === 'object' && value !== null;
}
