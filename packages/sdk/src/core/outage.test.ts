import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clientFor, closers, failureOf } from '../../test/support/client-for.ts';
import { allowed } from '../../test/support/stub-service.ts';
import { CLIENT_OPTIONS, checkOptionNames } from './client-options.ts';
import { createValidationClient } from './validation-client.ts';

describe('a service that does not answer', () => {
  it('is not asked any more after three outages, and once again after a pause', async () => {
    let nowMs = 0;
    const timing = { now: () => nowMs, sleep: async () => {}, random: () => 0.5 };
    const down = { status: 500, text: 'broken' };
    const { client, service } = await clientFor(
      [down, down, down, down, allowed()],
      { maxRetries: 0, onProblem: () => {} },
      { timing },
    );
    const ask = async () => (await client.validate('jane@example.com')).failure;
    for (let call = 0; call < 3; call += 1) expect((await ask())?.label).toBe('INTERNAL_ERROR');
    expect(await ask()).toMatchObject({ label: 'SUSPENDED', kind: 'outage', retryAfter: 5 });
    expect(service.requests).toHaveLength(3);
    nowMs = 5_000;
    // One call tries again. The other one does not wait for it.
    const [first, second] = await Promise.all([ask(), ask()]);
    expect([first?.label, second?.label]).toEqual(['INTERNAL_ERROR', 'SUSPENDED']);
    expect(await ask()).toMatchObject({ label: 'SUSPENDED', retryAfter: 10 });
    nowMs = 15_000;
    expect(await ask()).toBe(null);
    expect(await ask()).toBe(null);
  });

  it('is asked again and again while it refuses addresses: that is no outage', async () => {
    const refusal = { status: 400, body: { error: 'Invalid email format' } } as never;
    const { client, service } = await clientFor([{ refusal }]);
    for (let call = 0; call < 5; call += 1)
      expect((await failureOf(client.validate('a@b.co'))).label).toBe('INVALID_EMAIL');
    expect(service.requests).toHaveLength(5);
  });

  it('costs half of the time if it answers nothing, and the whole time if it only thinks for long', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closers.push(async () => {
      silent.closeAllConnections();
      await new Promise((resolve) => silent.close(resolve));
    });
    const { port } = silent.address() as AddressInfo;
    const client = createValidationClient({
      baseUrl: `http://127.0.0.1:${port}`,
      projectId: 'demo',
      apiKey: 'key',
      timeoutMs: 8_000,
      onProblem: () => {},
    });
    const hanging = client.validate('jane@example.com').then(({ failure }) => ['hanging', failure?.label]);
    let answer = () => {};
    const thought = new Promise<ReturnType<typeof allowed>>((resolve) => {
      answer = () => resolve(allowed());
    });
    const thinking = await clientFor([thought as never], { timeoutMs: 8_000 });
    const slow = thinking.client.validate('jane@example.com').then(({ source }) => ['thinking', source]);
    // Both have the same time limit. Only the one without any sign of life ends at half of it.
    expect(await Promise.race([hanging, slow])).toEqual(['hanging', 'TIMEOUT']);
    answer();
    expect(await slow).toEqual(['thinking', 'service']);
    expect(thinking.service.jwksFetches).toBe(1);
  });
});

describe('repeated requests', () => {
  it('carry one key, so that they are counted once, where the platform asks for it', async () => {
    const { client, service } = await clientFor(['cut', allowed()], {}, { idempotent: true });
    await client.validate('jane@example.com');
    await client.validate('jane@example.com');
    const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    // A key costs the service a transaction, so requests that are never repeated do not pay for one.
    for (const without of [await clientFor([allowed()]), await neverRepeats()]) {
      await without.client.validate('jane@example.com');
      expect(without.service.requests[0]?.headers).not.toHaveProperty('idempotency-key');
    }
  });

  it('wait for the first one if it is still under way', async () => {
    const underWay = { status: 409, text: '{"error":"Still under way"}', headers: { 'Retry-After': '1' } };
    const { client, waitsMs } = await clientFor([underWay, allowed()], { timeoutMs: 60_000 });
    expect((await client.validate('jane@example.com')).source).toBe('service');
    expect(waitsMs).toEqual([1_125]);
  });
});

it.each([
  ['whenUnavailble', 'Do you mean “whenUnavailable”?'],
  ['baseURL', 'Do you mean “baseUrl”?'],
  ['colour', 'does not know the option “colour”'],
])('the option %s is a mistake', (name, text) => {
  expect(() => checkOptionNames({ [name]: 1 }, CLIENT_OPTIONS)).toThrow(text);
});

const neverRepeats = () => clientFor([allowed()], { maxRetries: 0 }, { idempotent: true });
