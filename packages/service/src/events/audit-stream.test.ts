import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startAuditStream } from './audit-stream.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('sends a backlog at once, in portions, when it has the turn of all machines', async () => {
  let sentTo = 0;
  let turns = 0;
  const sent: number[] = [];
  const row = (seq: number) => ({ seq, at: 0, id: `${seq}`, action: 'a' });
  const stop = startAuditStream({
    store: {
      audit: {
        chain: async () => {},
        streamedTo: async () => sentTo,
        after: async (from: number) => [from + 1, from + 2].filter((seq) => seq <= 6).map(row),
        noteStreamed: async (_: number, to: number) => {
          sentTo = to;
        },
      },
      counters: {
        count: async () => {
          turns += 1;
          return { count: turns, resetsAt: 0 };
        },
      },
    },
    target: 'http://receiver.example/',
    fetch: async ({ body }: { body: string }) => {
      sent.push(body.trim().split('\n').length);
      return { status: 204, cancel: () => {} };
    },
    logFault: () => {},
    log: { info: () => {} },
    now: Date.now,
  } as unknown as Parameters<typeof startAuditStream>[0]);
  await vi.advanceTimersByTimeAsync(2_000);
  stop();
  expect([sent, sentTo, turns]).toEqual([[2, 2, 2], 6, 1]);
});
