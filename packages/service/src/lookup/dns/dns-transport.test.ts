import { expect, it } from 'vitest';
import { askOverTcp, askOverUdp } from './dns-transport.ts';

const SERVER = { host: '127.0.0.1', port: 9, text: '127.0.0.1:9' };
const QUERY = { question: { name: 'example.com', type: 'MX' as const }, id: 1, edns: false };

it.each([
  ['UDP', askOverUdp],
  ['TCP', askOverTcp],
])('over %s, a question that was given up before it was sent is rejected', async (_, ask) => {
  const given = AbortSignal.abort(new Error('closed'));
  await expect(ask(SERVER, QUERY, given)).rejects.toThrow('closed');
});

it('leaves no socket behind when a question is given up while it connects', async () => {
  const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length;
  const before = openSockets();
  const given = new AbortController();
  const answer = askOverUdp(SERVER, QUERY, given.signal);
  given.abort(new Error('closed'));
  await expect(answer).rejects.toThrow('closed');
  await expect.poll(openSockets).toBe(before);
});
