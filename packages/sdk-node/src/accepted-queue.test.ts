import { posternError } from 'postern~sdk/core';
import type { OutcomeRequest } from '@postern/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAcceptedQueue } from './accepted-queue.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue and the sizes of the batches that it sent. */
function start(failure?: Error, unknownRequest?: string) {
  const batches: OutcomeRequest[][] = [];
  const queue = createAcceptedQueue(
    async (outcomes) => {
      const batch = 'outcome' in outcomes ? [outcomes] : [...outcomes];
      batches.push(batch);
      if (failure !== undefined) throw failure;
      const unknown = batch.flatMap(({ requestId }, index) => (requestId === unknownRequest ? [index] : []));
      return {
        recorded: batch.length - unknown.length,
        unknown: unknownRequest === undefined ? [] : unknown,
      };
    },
    () => {},
    Date.now,
  );
  return { queue, sizes: () => batches.map(({ length }) => length), batches };
}

it('sends entries of the same two seconds together', async () => {
  const { queue, sizes, batches } = start();
  queue.add('a@example.com', null);
  await vi.advanceTimersByTimeAsync(1_900);
  queue.add('b@example.com', 'request-2');
  expect(sizes()).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sizes()).toEqual([2]);
  expect(batches[0]?.[1]).toEqual({
    email: 'b@example.com',
    requestId: 'request-2',
    outcome: 'accepted',
    at: '1970-01-01T00:00:01.900Z',
  });
});

it('sends immediately when there are a hundred', async () => {
  const { queue, sizes } = start();
  for (let index = 0; index < 100; index += 1) queue.add(`p${index}@example.com`, null);
  await vi.advanceTimersByTimeAsync(0);
  expect(sizes()).toEqual([100]);
});

it('keeps at most a thousand during an outage, and drops refused ones', async () => {
  const outage = start(posternError('away', { label: 'UNREACHABLE', status: 0 }));
  for (let index = 0; index < 1_500; index += 1) outage.queue.add(`p${index}@example.com`, null);
  await outage.queue.flush();
  await outage.queue.flush();
  expect(Math.max(...outage.sizes())).toBe(1_000);
  const refusal = start(posternError('no', { label: 'INVALID_REQUEST', status: 400 }));
  refusal.queue.add('a@example.com', null);
  await refusal.queue.flush();
  await refusal.queue.flush();
  expect(refusal.sizes()).toEqual([1]);
});

it('reports by the address alone whom a request ID does not name', async () => {
  const { queue, batches } = start(undefined, 'shared');
  queue.add('a@example.com', 'own');
  queue.add('b@example.com', 'shared');
  await queue.flush();
  expect(batches.map((batch) => batch.map(({ email, requestId }) => [email, requestId]))).toEqual([
    [
      ['a@example.com', 'own'],
      ['b@example.com', 'shared'],
    ],
    [['b@example.com', undefined]],
  ]);
});
