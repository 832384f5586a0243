import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { limitExchanges } from './open-exchanges.ts';

/** 64 lines, three for each request. */
const MOST_PARSED = 22;

describe('a connection with many pipelined requests', () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  async function pipeline(requests: number) {
    const served: ServerResponse[] = [];
    let parsed = 0;
    const server = createServer((_request, response) => served.push(response));
    limitExchanges(server, 'connection');
    server.on('request', () => {
      parsed += 1;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    ends.push(() => {
      socket.destroy();
      server.close();
    });
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests));
    while (served.length === 0) await nextTurn();
    return { served, parsed: () => parsed, text: () => text };
  }

  it('has few of them parsed while the first one is being served', async () => {
    const { served, parsed } = await pipeline(2_500);
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    expect(parsed()).toBeLessThanOrEqual(MOST_PARSED);
    expect(served.length).toBe(1);
  });

  it('gets one answer in a turn of the event loop, and all of them in the end', async () => {
    const requests = 300;
    const { served, text } = await pipeline(requests);
    for (let answered = 0; answered < requests; answered += 1) {
      while (served.length === answered) await nextTurn();
      expect(served.length).toBe(answered + 1);
      served[answered]?.end(`answer ${answered};`);
    }
    while (!text().includes(`answer ${requests - 1};`)) await nextTurn();
    expect([...text().matchAll(/answer (\d+);/g)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: requests }, (_, at) => at),
    );
  });
});
