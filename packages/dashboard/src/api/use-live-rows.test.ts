import type { ValidationPage, ValidationRow } from '@postern/contract/dashboard';
import {
  type InfiniteData,
  QueryClient,
  QueryClientProvider,
  skipToken,
  useQuery,
} from '@tanstack/react-query';
import { createElement } from 'react';
import { act, create } from 'react-test-renderer';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type LiveState, useLiveLog } from './use-live-rows.ts';

// Without a window, the library asks only once.
vi.hoisted(() => {
  const listen = () => {};
  vi.stubGlobal('window', { addEventListener: listen, removeEventListener: listen });
});

/** When the log was read. */
const READ = 1_000_000;
const POLL_MS = 2_000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('document', { visibilityState: 'visible' });
});
afterEach(() => vi.useRealTimers());
afterAll(() => vi.unstubAllGlobals());

const rowsOf = (...ids: string[]) => ids.map((id) => ({ id, at: READ }) as ValidationRow);

/** Lets time pass, and then whatever was answered reach the page. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  for (let step = 0; step < 20; step += 1) await vi.advanceTimersByTimeAsync(1);
}

/** A page with a log; `answer` is what the service says from then on. */
async function openLog(pages: Omit<ValidationPage, 'at'>[]) {
  const client = new QueryClient();
  const asked: URLSearchParams[] = [];
  const shown: LiveState[] = [];
  const page = { answer: (): ValidationPage | undefined => undefined };
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://service').searchParams);
    const answer = page.answer();
    const status = answer === undefined ? 503 : 200;
    return { status, ok: status === 200, json: async () => answer ?? {} };
  });
  const readLog = (read: Omit<ValidationPage, 'at'>[], at: number) =>
    client.setQueryData(['log'], { pages: read.map((one) => ({ ...one, at })), pageParams: [undefined] });
  readLog(pages, READ);
  const Page = () => {
    void useQuery({ queryKey: ['log'], queryFn: skipToken }).data;
    shown.push(useLiveLog('p', { check: 'mx' }, ['log'], true));
    return null;
  };
  return {
    asked,
    readLog,
    page,
    state: () => shown.at(-1),
    open: async () => {
      await act(async () => {
        create(createElement(QueryClientProvider, { client }, createElement(Page)));
      });
      await act(() => pass(0));
    },
    wait: (ms = POLL_MS) => act(() => pass(ms)),
    ids: () => {
      const log = client.getQueryData<InfiniteData<ValidationPage>>(['log']);
      return log?.pages.flatMap(({ rows }) => rows.map(({ id }) => id)) ?? [];
    },
  };
}

it.each([
  ['leaves rows to “Show older” that are older than what is shown', 'b', ['f', 'e', 'd', 'c', 'b']],
  ['takes them where nothing older is left to show', null, ['f', 'e', 'd', 'c', 'b', 'a']],
])('adds each row once and %s', async (_, next, expected) => {
  const log = await openLog([
    { rows: rowsOf('e', 'd'), next: 'd' },
    { rows: rowsOf('c', 'b'), next },
  ]);
  log.page.answer = () => ({ rows: rowsOf('f', 'e', 'c', 'a'), next: null, at: READ + 1 });
  await log.open();
  await log.wait();
  await log.wait();
  expect(log.ids().sort()).toEqual(expected.sort());
  expect(log.asked.length).toBeGreaterThan(1);
});

it('asks for what came since the last good answer, with the filters, and says while there is none', async () => {
  const log = await openLog([{ rows: rowsOf('a'), next: null }]);
  await log.open();
  await log.wait();
  expect(log.state()).toBe('connecting');
  log.page.answer = () => ({ rows: rowsOf('b'), next: null, at: READ + 60_000 });
  await log.wait();
  expect([log.state(), log.ids()]).toEqual(['live', ['b', 'a']]);
  await log.wait();
  const from = log.asked.map((query) => Number(query.get('from')));
  expect(new Set(from)).toEqual(new Set([READ - 5_000, READ + 55_000]));
  expect(log.asked.every((query) => query.get('check') === 'mx')).toBe(true);
});

it('keeps a new row if the log was read before it and arrives after it, but not one that was erased', async () => {
  const log = await openLog([{ rows: rowsOf('a'), next: null }]);
  log.page.answer = () => ({ rows: rowsOf('b'), next: null, at: READ + 1 });
  await log.open();
  expect(log.ids()).toEqual(['b', 'a']);
  await act(async () => {
    log.readLog([{ rows: rowsOf('a'), next: null }], READ);
  });
  await log.wait();
  expect(log.ids()).toEqual(['b', 'a']);
  log.page.answer = () => ({ rows: [], next: null, at: READ + 60_000 });
  await log.wait();
  await act(async () => {
    log.readLog([{ rows: rowsOf('a'), next: null }], READ + 60_000);
  });
  await log.wait();
  expect(log.ids()).toEqual(['a']);
});

it('says that rows are missing when more came than it was told, until the log is read again', async () => {
  const log = await openLog([{ rows: rowsOf('a'), next: null }]);
  const late = rowsOf('c').map((row) => ({ ...row, at: READ + 9_000 }));
  log.page.answer = () => ({ rows: late, next: 'c', at: READ + 9_500 });
  await log.open();
  expect(log.state()).toBe('skipping');
  log.page.answer = () => ({ rows: [], next: null, at: READ + 10_000 });
  await log.wait();
  expect(log.state()).toBe('skipping');
  await act(async () => {
    log.readLog([{ rows: late, next: null }], READ + 11_000);
  });
  await log.wait();
  expect(log.state()).toBe('live');
});

it('does not ask while the tab is hidden', async () => {
  const log = await openLog([{ rows: rowsOf('a'), next: null }]);
  log.page.answer = () => ({ rows: [], next: null, at: READ });
  await log.open();
  await log.wait(3 * POLL_MS);
  const before = log.asked.length;
  expect(before).toBeGreaterThan(2);
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  await log.wait(10 * POLL_MS);
  expect(log.asked.length).toBe(before);
});
