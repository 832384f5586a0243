import { afterEach, describe, expect, test } from 'vitest';
import { type DnsServer, ordinaryMail, type Zone } from '../../../test/support/dns-server.ts';
import { createLookupBench, deadServer } from '../../../test/support/mail-lookup.ts';
import type { DnsEvent, MailLookup, MailLookupOptions } from './mail-lookup.ts';

const { serve, lookUpThrough, close } = createLookupBench();
afterEach(close);

describe('canaries', () => {
  const nothing: Zone = {};
  const internet: Zone = { ...ordinaryMail('gmail.com', 'a.test', 'b.test') };

  function watched(server: DnsServer | readonly string[], options: MailLookupOptions = {}): MailLookup {
    return lookUpThrough(server, { canaries: ['gmail.com', 'outlook.com'], ...options });
  }

  /** Collects events, and resolves when one of a type has occurred. */
  function eventLog() {
    const events: DnsEvent[] = [];
    const waiting = new Map<string, () => void>();
    return {
      events,
      onEvent: (event: DnsEvent) => {
        events.push(event);
        waiting.get(event.type)?.();
      },
      next: (type: DnsEvent['type']) => new Promise<void>((resolve) => waiting.set(type, resolve)),
    };
  }

  test('a resolver that finds one of them is trusted', async () => {
    const lookup = watched(await serve(internet));
    expect(lookup.health()).toMatchObject({ status: 'starting', canaries: ['gmail.com', 'outlook.com'] });
    await lookup.start();
    expect(lookup.health().status).toBe('ok');
    expect(await lookup.route('nowhere.test')).toEqual({ status: 'no-domain' });
  });

  test('a resolver that says NXDOMAIN to everything makes every answer unknown, immediately', async () => {
    const server = await serve(nothing);
    const { events, onEvent } = eventLog();
    const lookup = watched(server, { onEvent });
    await lookup.start();
    expect(lookup.health().status).toBe('offline');
    const asked = server.questions.length;
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
    expect(server.questions).toHaveLength(asked);
    expect(events).toEqual([
      { type: 'resolver-offline', canaries: ['gmail.com', 'outlook.com'], servers: [server.address] },
    ]);
  });

  test.each(['REFUSED', 'SERVFAIL'] as const)(
    'a resolver that answers %s makes every answer unknown',
    async (rcode) => {
      const lookup = watched(await serve({ '*': rcode }));
      await lookup.start();
      expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
    },
  );

  test('an unreachable resolver makes every answer unknown', async () => {
    const lookup = watched([await deadServer()], { budgetMs: 60_000 });
    await lookup.start();
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('a resolver that sends every name to its sign-in page makes every answer unknown', async () => {
    const lookup = watched(await serve({ '*': { A: ['10.0.0.1'] } }), { canaries: undefined });
    await lookup.start();
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('an operator’s own canary needs no mail hosts', async () => {
    const lookup = watched(await serve({ 'intranet.test': { A: ['10.0.0.1'] } }), {
      canaries: ['intranet.test'],
    });
    await lookup.start();
    expect(lookup.health().status).toBe('ok');
  });

  test('a look-up before the first result waits for it', async () => {
    const lookup = watched(await serve(nothing));
    expect(await lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('a look-up does not wait for the first result beyond its budget', async () => {
    const lookup = watched(await serve({ '*': 'silent' }), { budgetMs: 100 });
    expect(await lookup.route('a.test')).toMatchObject({ status: 'unknown' });
  });

  test('answers are trusted again when the internet comes back', async () => {
    const server = await serve(nothing);
    const { onEvent, next } = eventLog();
    const lookup = watched(server, { onEvent, canaryRetryMs: [20, 20] });
    await lookup.start();
    const online = next('resolver-online');
    server.setZone(internet);
    await online;
    expect(lookup.health().status).toBe('ok');
    expect(await lookup.route('a.test')).toMatchObject({ status: 'found' });
  });

  test('a negative answer is not trusted if the resolver has lost the internet since', async () => {
    let now = 0;
    const server = await serve(internet);
    const lookup = watched(server, { clock: () => now });
    expect(await lookup.route('a.test')).toMatchObject({ status: 'found' });
    server.setZone(nothing);
    now += 60_000;
    expect(await lookup.route('b.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
    expect(lookup.health()).toMatchObject({ status: 'offline', since: 60_000 });
    expect(lookup.route('a.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('answers of a resolver without internet are forgotten', async () => {
    const server = await serve(internet);
    const { onEvent, next } = eventLog();
    const lookup = watched(server, { clock: () => 0, onEvent, canaryRetryMs: [20, 20] });
    await lookup.start();
    server.setZone(nothing);
    expect(await lookup.route('a.test')).toEqual({ status: 'no-domain' });
    const offline = next('resolver-offline');
    for (let index = 0; index < 8; index++) await lookup.route(`d${index}.test`);
    await offline;
    const online = next('resolver-online');
    server.setZone(internet);
    await online;
    expect(await lookup.route('a.test')).toMatchObject({ status: 'found' });
  });

  test('a burst of negative answers checks the canaries again', async () => {
    const server = await serve(internet);
    const lookup = watched(server, { clock: () => 0 });
    await lookup.start();
    server.setZone(nothing);
    const statuses: string[] = [];
    for (let index = 0; index < 12; index++) statuses.push((await lookup.route(`d${index}.test`)).status);
    expect(statuses.slice(8)).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  });

  test('an address for every name does not prove internet access', async () => {
    let now = 0;
    const server = await serve(internet);
    const lookup = watched(server, { clock: () => now, canaries: undefined });
    await lookup.start();
    server.setZone((name) => (name === 'b.test' ? {} : { A: ['93.184.216.34'] }));
    now += 60_000;
    expect(await lookup.route('c.test')).toMatchObject({ status: 'found', implicit: true });
    expect(await lookup.route('b.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('ordinary negative answers from a good resolver do not check the canaries', async () => {
    const server = await serve(internet);
    const lookup = watched(server);
    await lookup.start();
    await lookup.route('nowhere.test');
    expect(server.timesAsked('gmail.com')).toBe(1);
  });

  test('a resolver that stops answering is detected, and no look-up waits for it any more', async () => {
    let now = 0;
    const server = await serve(internet);
    const { onEvent, next } = eventLog();
    const lookup = watched(server, { budgetMs: 500, clock: () => now, onEvent });
    await lookup.start();
    server.setZone({ '*': 'silent' });
    now += 6_000;
    const offline = next('resolver-offline');
    await Promise.all(['c.test', 'd.test', 'e.test'].map((domain) => lookup.route(domain)));
    await offline;
    expect(lookup.route('f.test')).toEqual({ status: 'unknown', reason: 'resolver-offline' });
  });

  test('without canaries the resolver is trusted', async () => {
    const lookup = lookUpThrough(await serve(nothing));
    await lookup.start();
    expect(lookup.health().status).toBe('unchecked');
    expect(await lookup.route('a.test')).toEqual({ status: 'no-domain' });
  });

  test('canaries bypass a full queue', async () => {
    const server = await serve(internet);
    const lookup = watched(server, { maxInFlight: 1, maxWaiting: 0, budgetMs: 60_000 });
    server.setZone({ ...internet, 'slow.test': 'silent' });
    const slow = lookup.route('slow.test');
    await server.whenAsked('slow.test');
    expect(await lookup.route('b.test')).toEqual({ status: 'unknown', reason: 'not-asked' });
    expect(lookup.health().status).toBe('ok');
    lookup.close();
    await slow;
  });
});
