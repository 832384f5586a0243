import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type DelivererParts, nextAttemptAt, RETRIED_FOR_MS, startDeliverer } from './deliver-webhooks.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('looks into the outbox rarely while nothing happens, and soon after a request', async () => {
  const claim = vi.fn(async () => []);
  const parts = { store: { events: { deliveries: { claim } } }, now: Date.now } as unknown as DelivererParts;
  const deliverer = startDeliverer(parts);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(claim.mock.calls.length).toBeLessThan(15);

  const before = claim.mock.calls.length;
  for (let request = 0; request < 10; request += 1) deliverer.wake();
  await vi.advanceTimersByTimeAsync(500);
  expect(claim.mock.calls.length).toBe(before + 1);
  // Requests that keep coming do not put off the next look.
  for (let tenth = 0; tenth < 50; tenth += 1) {
    deliverer.wake();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(claim.mock.calls.length).toBeGreaterThanOrEqual(before + 10);
  await deliverer.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(claim.mock.calls.length).toBeLessThanOrEqual(before + 12);
});

it('mails that the mail server refused do not count against the hour', async () => {
  const counted: string[] = [];
  const due = {
    id: 'e-w',
    projectId: 'p',
    webhookId: 'w',
    eventId: 'e',
    logId: null,
    type: 'quota.reached',
    at: 0,
    attempts: 0,
  };
  const webhook = {
    id: 'w',
    projectId: 'p',
    url: 'mailto:ops@example.com',
    format: 'email',
    filter: {},
    disabledAt: null,
  };
  const claim = vi.fn(async () => []).mockResolvedValueOnce([due] as never);
  const parts = {
    store: {
      events: {
        deliveries: { claim, finish: async () => {}, drop: async () => {} },
        webhooks: { find: async () => webhook, succeeded: async () => {}, failed: async () => 0 },
        find: async () => ({ projectId: 'p', id: 'e', type: 'quota.reached', at: 0, logId: null, data: {} }),
      },
      log: { find: async () => undefined },
      counters: {
        count: async () => ({ count: counted.push('sent'), resetsAt: 0 }),
        uncount: async () => void counted.pop(),
      },
    },
    mail: { send: () => Promise.reject(new Error('connect ECONNREFUSED')) },
    logFault: () => {},
    log: { warn: () => {} },
    random: () => 0,
    onAttempt: () => {},
    now: Date.now,
  } as unknown as DelivererParts;
  const deliverer = startDeliverer(parts);
  await vi.advanceTimersByTimeAsync(10_000);
  await deliverer.close();
  expect(claim).toHaveBeenCalled();
  expect(counted).toEqual([]);
});

it('tries again after about five seconds, then with growing pauses, for three days to the end', () => {
  const START = Date.UTC(2026, 10, 15);
  for (const random of [() => 0, () => 0.5, () => 1]) {
    const pauses: number[] = [];
    let now = START + 50;
    for (let attempts = 1; ; attempts += 1) {
      const next = nextAttemptAt(START, attempts, now, random);
      if (next === undefined) break;
      pauses.push(next - now);
      now = next;
    }
    expect(pauses[0]).toBeGreaterThanOrEqual(4_500);
    expect(pauses[0]).toBeLessThanOrEqual(5_500);
    // The last one only fills up the three days.
    const growing = pauses.slice(0, -1);
    expect(growing).toEqual(growing.toSorted((one, other) => one - other));
    expect(now).toBe(START + RETRIED_FOR_MS);
    expect(pauses.length).toBeGreaterThan(20);
  }
});
