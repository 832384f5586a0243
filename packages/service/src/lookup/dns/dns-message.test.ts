import { encode, type Packet } from 'dns-packet';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interpretReply } from './dns-answer.ts';
import { type DnsQuestion, decodeReply } from './dns-message.ts';

const question: DnsQuestion = { name: 'a.test', type: 'MX' };
const answer: Packet = {
  type: 'response',
  id: 7,
  questions: [{ name: 'A.Test', type: 'MX' }],
  answers: [{ name: 'a.test', type: 'MX', ttl: 60, data: { preference: 1, exchange: 'MX.a.test' } }],
};

function reply(changes: object = {}) {
  return decodeReply(encode({ ...structuredClone(answer), ...changes }), 7, question);
}

test('the answer to the question is read case-insensitively', () => {
  const read = reply();
  expect(read && interpretReply(read, question)).toEqual({
    result: 'records',
    records: [{ value: 'mx.a.test', priority: 1 }],
    glue: new Map(),
    ttlSeconds: 60,
  });
});

test.each([
  ['another id', { id: 8 }],
  ['a query', { type: 'query' }],
  ['another name', { questions: [{ name: 'b.test', type: 'MX' }] }],
  ['another type', { questions: [{ name: 'a.test', type: 'A' }] }],
  ['another class', { questions: [{ name: 'a.test', type: 'MX', class: 'CH' }] }],
  ['two questions', { questions: [...(answer.questions ?? []), { name: 'b.test', type: 'MX' }] }],
  ['no question', { questions: [] }],
])('%s is not the answer', (_difference, changes) => {
  expect(reply(changes)).toBeUndefined();
});

test('records of other names are ignored', () => {
  const read = reply({
    answers: [{ name: 'b.test', type: 'MX', data: { preference: 1, exchange: 'mx.test' } }],
  });
  expect(read && interpretReply(read, question)).toEqual({ result: 'no-data', ttlSeconds: 0 });
});

test('an extended EDNS error code is an error', () => {
  const opt = {
    type: 'OPT',
    name: '.',
    udpPayloadSize: 512,
    extendedRcode: 1,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
  const read = reply({ answers: [], additionals: [opt] });
  expect(read?.rcode).toBe(16);
  expect(read && interpretReply(read, question)).toEqual({ result: 'failed', reason: 'server-failure' });
});

test('no bytes make the reader throw', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 600 }),
    // A valid answer with some octets changed gets further into the parser than random bytes.
    fc.array(fc.tuple(fc.nat(500), fc.nat(255)), { maxLength: 8 }).map((changes) => {
      const message = encode(structuredClone(answer));
      for (const [at, octet] of changes) message[2 + (at % (message.length - 2))] = octet;
      return message;
    }),
  );
  fc.assert(
    fc.property(bytes, (message) => {
      const read = decodeReply(Buffer.from(message), 7, question);
      if (read !== undefined) interpretReply(read, question);
    }),
    { numRuns: 2_000 },
  );
});
