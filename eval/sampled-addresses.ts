import {
  HEADER_FIELDS,
  type Header,
  type Sections,
  sectionsOf,
} from '../packages/service/src/lookup/ip-ranges-format.ts';
import { type IpAddress, ipAddressOfWords, ipv4Address } from '../packages/service/src/model/ip-address.ts';

/** The first and the middle address of every range in the compiled network data. */
export function* sampledAddresses(bytes: Uint8Array): Generator<IpAddress> {
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const header = Object.fromEntries(HEADER_FIELDS.map((field, at) => [field, words[at] ?? 0])) as Header;
  const sections = sectionsOf(words, header);
  yield* sampledIpv4(sections);
  yield* sampledIpv6(sections);
}

function* sampledIpv4({ ipv4Starts }: Sections): Generator<IpAddress> {
  for (const [at, start] of ipv4Starts.entries()) {
    const next = ipv4Starts[at + 1] ?? 2 ** 32;
    yield ipv4Address(start);
    yield ipv4Address(start + Math.floor((next - start) / 2));
  }
}

function* sampledIpv6({ ipv6High, ipv6Low }: Sections): Generator<IpAddress> {
  const startAt = (at: number) => (BigInt(ipv6High[at] ?? 0) << 32n) | BigInt(ipv6Low[at] ?? 0);
  for (let at = 0; at + 1 < ipv6High.length; at += 1) {
    const start = startAt(at);
    for (const network of [start, start + (startAt(at + 1) - start) / 2n])
      yield ipAddressOfWords([Number(network >> 32n), Number(network & 0xffff_ffffn), 0, 1]);
  }
}
