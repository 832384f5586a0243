import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogRow } from '../store/store.ts';
import type { LogStore } from '../store/tables/log-table.ts';
import { timePrefix } from '../store/timed-id.ts';
import { createLiveTail, type Watcher } from './live-tail.ts';

const NOW = 1_794_748_607_000;
let rows: LogRow[] = [];
let queries = 0;
let answer = Promise.resolve();

/** The parts of a row that the tail looks at. */
const row = (projectId: string, index: number) =>
  ({
    id: `${timePrefix(Date.now())}${String(index).padStart(9, '0')}`,
    maskedAddress: 'j***@gmail.com',
    at: Date.now(),
    projectId,
    requestId: `r${index}`,
    failed: [],
    signals: [],
    rules: [],
    shadowRules: [],
    lists: [],
    deviceHash: null,
    facts: { operator: '' },
  }) as unknown as LogRow;

const log: Pick<LogStore, 'newest' | 'page'> = {
  newest: async (projectIds, since, limit) => {
    queries += 1;
    const found = rows.filter(({ at }) => at >= since);
    await answer;
    return projectIds.flatMap((id) => found.filter(({ projectId }) => projectId === id).slice(0, limit));
  },
  page: async () => ({ rows: [], next: null }),
};

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  rows = [];
  queries = 0;
  answer = Promise.resolve();
});
afterEach(() => vi.useRealTimers());

/** Collects what a viewer gets. */
let memberNumber = 0;
const someMember = (): Watcher => {
  memberNumber += 1;
  return { memberId: `m${memberNumber}`, mayRead: async () => true };
};
function watch(
  tail: ReturnType<typeof createLiveTail>,
  projectId: string,
  watcher: Watcher = someMember(),
): string[] {
  const got: string[] = [];
  void (async () => {
    for await (const text of tail.watch(projectId, {}, undefined, watcher)) got.push(String(text));
  })();
  return got;
}
const events = (got: readonly string[], name: string) =>
  got.filter((text) => text.includes(`event: ${name}`));

describe('the live tail', () => {
  it('asks the store once a second for all viewers, and not at all without one', async () => {
    const tail = createLiveTail(log, Date.now);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(queries).toBe(0);
    const viewers = ['shop', 'shop', 'blog'].map((projectId) => watch(tail, projectId));
    rows = [row('shop', 1), row('blog', 2)];
    await vi.advanceTimersByTimeAsync(5_000);
    expect(queries).toBe(5);
    expect(viewers.map((got) => events(got, 'rows').length)).toEqual([1, 1, 1]);
    tail.close();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(queries).toBe(5);
  });

  it.each(['slow', 'failed'])('sends the rows that came in during a %s query', async (kind) => {
    const tail = createLiveTail(log, Date.now);
    const got = watch(tail, 'shop');
    let end = () => {};
    answer = new Promise((resolve, reject) => {
      end = kind === 'slow' ? resolve : () => reject(new Error('The store is unavailable'));
    });
    await vi.advanceTimersByTimeAsync(2_000);
    rows = [row('shop', 1)];
    await vi.advanceTimersByTimeAsync(20_000);
    expect([queries, events(got, 'rows').length]).toEqual([1, 0]);
    answer = answer.catch(() => undefined);
    end();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(events(got, 'rows')).toHaveLength(1);
    tail.close();
  });

  it('gives a member twenty streams, and ends them when the member may no longer read', async () => {
    const tail = createLiveTail(log, Date.now);
    let isMember = true;
    const jane = { memberId: 'jane', mayRead: async () => isMember };
    const streams = Array.from({ length: 20 }, () => watch(tail, 'shop', jane));
    expect(() => tail.watch('shop', {}, undefined, jane)).toThrow('too many windows');
    const other = watch(tail, 'shop');
    isMember = false;
    await vi.advanceTimersByTimeAsync(6_000);
    rows = [row('shop', 1)];
    await vi.advanceTimersByTimeAsync(2_000);
    expect(streams.map((got) => events(got, 'rows').length)).toEqual(streams.map(() => 0));
    expect(events(other, 'rows')).toHaveLength(1);
    tail.close();
  });

  it('says when more rows came in than it sends', async () => {
    const tail = createLiveTail(log, Date.now);
    const [busy, calm] = [watch(tail, 'shop'), watch(tail, 'blog')];
    rows = [row('blog', 0), ...Array.from({ length: 250 }, (_, index) => row('shop', index))];
    await vi.advanceTimersByTimeAsync(1_000);
    expect([events(busy, 'skipped').length, events(calm, 'skipped').length]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(events(busy, 'skipped')).toHaveLength(1);
    tail.close();
  });
});
