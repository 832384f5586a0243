import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ordinaryMail, type ZoneEntry } from './support/dns-server.ts';
import { KNOWN_MAIL, startService } from './support/service.ts';

/** Half of all slots: as many as one project alone may have. */
const IN_FLIGHT = 128;
const CLIENTS = 150;

describe.each(['on', 'off'])('with POSTERN_FAST_PATH=%s', (fastPath) => {
  it.each(['reset', 'close'] as const)('drops queued DNS questions whose clients %s', async (how) => {
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const late: ZoneEntry = { ...(ordinaryMail('late.com')['late.com'] as object), after: answered };
    const service = await startService({
      env: { POSTERN_DNS_BUDGET_MS: '30000', POSTERN_FAST_PATH: fastPath },
      zone: (name) => {
        if (name.endsWith('.late-domains.com')) return late;
        return (
          (KNOWN_MAIL as Record<string, ZoneEntry>)[name] ??
          (ordinaryMail('late.com') as Record<string, ZoneEntry>)[name]
        );
      },
    });
    onTestFinished(() => service.close());
    const project = await service.makeProject();
    const waiting = async () => {
      const { text } = await service.ask({ path: '/metrics' });
      return Number(/^postern_dns_waiting (\d+)/m.exec(text)?.[1]);
    };
    const send = async (name: string) => {
      const socket = connect({ port: service.port, host: '127.0.0.1' });
      socket.on('error', () => {});
      await once(socket, 'connect');
      const body = JSON.stringify({ email: `jane@${name}` });
      socket.write(
        `POST /validate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${project.serverKey}\r\nX-Project-Id: ${project.id}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      return socket;
    };
    const names = Array.from({ length: CLIENTS }, (_, at) => `d${at}.late-domains.com`);
    const sockets = await Promise.all(names.map(send));
    while ((await waiting()) < CLIENTS - IN_FLIGHT) await sleep(20);
    // One client stays. Its question is the last in the queue.
    const patient = await send('last.late-domains.com');
    while ((await waiting()) < CLIENTS - IN_FLIGHT + 1) await sleep(20);

    for (const socket of sockets) {
      if (how === 'reset') socket.resetAndDestroy();
      else socket.destroy();
    }
    // The budget of 30 seconds is not over, so only the clients’ leaving empties the queue.
    while ((await waiting()) > 1) await sleep(20);
    answer();
    let text = '';
    patient.on('data', (chunk) => {
      text += chunk.toString();
    });
    while (!text.includes('"recommendation"')) await sleep(20);
    expect(text).toContain('HTTP/1.1 200');
    expect(text).not.toContain('"unknown"');
    expect(service.dns.timesAsked('last.late-domains.com')).toBeGreaterThan(0);
    patient.destroy();
  });
});
