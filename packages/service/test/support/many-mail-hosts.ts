import { encodeQuery } from '../../src/lookup/dns/dns-message.ts';
import type { Asked } from './dns-server.ts';

/** An MX answer with as many hosts as fit into 64 KB, in compressed form; the best preference comes last. */
export function manyMailHosts(asked: Asked, hosts: number): Buffer {
  const question = encodeQuery(asked.id, { name: asked.name, type: 'MX' }, false);
  question.writeUInt16BE(0x8180, 2);
  question.writeUInt16BE(hosts, 6);
  const records = Array.from({ length: hosts }, (_, number) => {
    const label = Buffer.from(number.toString(36).padStart(4, '0'));
    const record = Buffer.alloc(12 + 2 + 1 + label.length + 2);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(15, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(300, 6);
    record.writeUInt16BE(2 + 1 + label.length + 2, 10);
    record.writeUInt16BE(hosts - number, 12);
    record[14] = label.length;
    label.copy(record, 15);
    record.writeUInt16BE(0xc00c, 15 + label.length);
    return record;
  });
  return Buffer.concat([question, ...records]);
}
