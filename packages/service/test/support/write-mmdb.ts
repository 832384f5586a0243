import { type Cidr, parseCidr } from '../../src/model/cidr.ts';

type Value = string | number | boolean | { readonly [key: string]: Value } | readonly Value[];

/**
 * Writes a MaxMind database (format 2.0, IPv6 tree with IPv4 under ::/96, 24-bit records) of a few ranges, so that
 * tests can read a real file without licensed data.
 */
export function writeMmdb(
  databaseType: string,
  entries: Readonly<Record<string, Value>>,
  builtAt: Date,
): Buffer {
  const data: Buffer[] = [];
  const nodes: [Branch, Branch][] = [[undefined, undefined]];
  let dataSize = 0;
  for (const [range, record] of Object.entries(entries)) {
    const cidr = parseCidr(range);
    if (cidr === undefined) throw new Error(`${range} is no range`);
    const encoded = encode(record);
    insert(nodes, bitsOf(cidr), { dataOffset: dataSize });
    data.push(encoded);
    dataSize += encoded.length;
  }
  const tree = Buffer.concat(
    nodes.map((node) => Buffer.concat(node.map((branch) => recordOf(branch, nodes.length)))),
  );
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    database_type: databaseType,
    description: { en: 'written by a test' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  });
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, metadata]);
}

type Branch = undefined | { readonly node: number } | { readonly dataOffset: number };

function bitsOf({ base, prefixLength }: Cidr): number[] {
  const words = base.version === 4 ? [0, 0, 0, base.value] : base.words;
  const length = base.version === 4 ? 96 + prefixLength : prefixLength;
  return Array.from({ length }, (_, bit) => ((words[bit >> 5] ?? 0) >>> (31 - (bit & 31))) & 1);
}

function insert(nodes: [Branch, Branch][], bits: readonly number[], leaf: Branch): void {
  let at = 0;
  for (const [depth, bit] of bits.entries()) {
    const node = nodes[at];
    if (node === undefined) throw new Error('a range inside another one');
    const side = bit === 0 ? 0 : 1;
    if (depth === bits.length - 1) {
      node[side] = leaf;
      return;
    }
    const branch = node[side];
    if (branch !== undefined && 'node' in branch) {
      at = branch.node;
    } else {
      at = nodes.push([undefined, undefined]) - 1;
      node[side] = { node: at };
    }
  }
}

function recordOf(branch: Branch, nodeCount: number): Buffer {
  const value =
    branch === undefined ? nodeCount : 'node' in branch ? branch.node : nodeCount + 16 + branch.dataOffset;
  const record = Buffer.alloc(3);
  record.writeUIntBE(value, 0, 3);
  return record;
}

function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'boolean') return control(14, value ? 1 : 0);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), bytes]);
  }
  if (Array.isArray(value))
    return Buffer.concat([control(11, value.length), ...value.map((item: Value) => encode(item))]);
  const pairs = Object.entries(value);
  return Buffer.concat([
    control(7, pairs.length),
    ...pairs.flatMap(([key, item]) => [encode(key), encode(item)]),
  ]);
}

/** Types above 7 are written as 0 with the rest in the next byte; sizes here stay below 29. */
function control(type: number, size: number): Buffer {
  if (size >= 29) throw new Error('too long for this writer');
  return type <= 7 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7]);
}
