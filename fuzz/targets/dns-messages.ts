import { interpretReply, MAX_RECORDS } from '../../packages/service/src/lookup/dns/dns-answer.ts';
import { type DnsQuestion, decodeReply } from '../../packages/service/src/lookup/dns/dns-message.ts';
import type { FuzzTarget } from '../target.ts';

const QUESTIONS: readonly DnsQuestion[] = (['MX', 'A', 'AAAA', 'NS'] as const).map((type) => ({
  name: 'a.test',
  type,
}));
const ID = 0x1234;

/** A message is read or ignored, and the number of kept records is limited. */
export const dnsMessages: FuzzTarget = {
  name: 'dns-messages',
  words: [
    '\x12\x34\x81\x80',
    '\xc0\x0c',
    '\x00\x0f\x00\x01',
    '\xff\xff',
    '\x00',
    '\x01a\x04test\x00',
    '\x00\x05\x00\x01',
  ],
  open: async () => ({
    check: (input) => {
      for (const question of QUESTIONS) {
        const reply = decodeReply(input, ID, question);
        if (reply === undefined) continue;
        const answer = interpretReply(reply, question);
        if (answer.result !== 'records') continue;
        if (answer.records.length > MAX_RECORDS) throw new Error(`${answer.records.length} records are kept`);
        for (const addresses of answer.glue.values())
          if (addresses.length > MAX_RECORDS) throw new Error(`${addresses.length} addresses are kept`);
        if (!(answer.ttlSeconds >= 0)) throw new Error(`the TTL is ${answer.ttlSeconds} seconds`);
      }
    },
    close: async () => {},
  }),
};
