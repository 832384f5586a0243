import { readFile } from 'node:fs/promises';
import { HEADER_FIELDS, type Header, sectionsOf, unpackValue } from '../lookup/ip-ranges-format.ts';
import { accessNetworks } from './access-networks.ts';
import type { RangeRow } from './address-ranges.ts';
import { growingUint32 } from './growing-column.ts';

/** The addresses of the large home and mobile networks. */
export interface AccessSpace {
  readonly ipv4: RangeRow<Uint32Array>;
}

/** Reads the addresses of the access networks from a compiled network file. */
export async function readAccessSpace(networksFile: URL | string): Promise<AccessSpace> {
  const bytes = await readFile(networksFile);
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const header = Object.fromEntries(HEADER_FIELDS.map((field, at) => [field, words[at] ?? 0])) as Header;
  return accessSpaceOf(sectionsOf(words, header));
}

function accessSpaceOf({ ipv4Starts, ipv4Values, asns }: ReturnType<typeof sectionsOf>): AccessSpace {
  const numbers = accessNetworks();
  const first = growingUint32();
  const last = growingUint32();
  for (let i = 0; i < ipv4Starts.length; i++) {
    const { network } = unpackValue(ipv4Values[i] ?? 0);
    if (!numbers.has(asns[network] ?? 0)) continue;
    first.push(ipv4Starts[i] ?? 0);
    last.push((ipv4Starts[i + 1] ?? 2 ** 32) - 1);
  }
  return { ipv4: { first: first.finish(), last: last.finish() } };
}
