import { afterEach, describe, expect, it, vi } from 'vitest';
import { type BatcherOptions, createBatcher } from './batcher.ts';
import type { DeadlineTimer } from './deadline.ts';
import { StoreUnavailable } from './store.ts';

interface Sent {
  readonly calls: readonly string[];
  readonly answer: (answers: string[]) => void;
  readonly fail: (error: Error) => void;
}

/** A batcher whose answers and deadlines the test controls. */
function makeBatcher(options: Partial<BatcherOptions<string, string>> = {}) {
  const sent: Sent[] = [];
  const timeOuts: (() => void)[] = [];
  const startTimer: DeadlineTimer = (onTimeout) => {
    timeOuts.push(onTimeout);
    return () => {};
  };
  const batcher = createBatcher<string, string>({
    send: (calls) => new Promise((answer, fail) => sent.push({ calls, answer, fail })),
    startTimer,
    maxSize: 512,
    maxUnderWay: Number.POSITIVE_INFINITY,
    ...options,
  });
  return { ...batcher, sent, timeOuts };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('calls of one turn of the event loop', () => {
  it('are sent together, and each gets its own answer', async () => {
    const { call, sent } = makeBatcher();
    const answers = Promise.all(['a', 'b', 'c'].map((name) => call(name)));
    await nextTurn();
    expect(sent.map(({ calls }) => calls)).toEqual([['a', 'b', 'c']]);
    sent[0]?.answer(['1', '2', '3']);
    expect(await answers).toEqual(['1', '2', '3']);
  });

  it('are all refused when their batch fails', async () => {
    const { call, sent } = makeBatcher();
    const answers = Promise.allSettled(['a', 'b'].map((name) => call(name)));
    await nextTurn();
    sent[0]?.fail(new StoreUnavailable('gone'));
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('are sent before its end once enough of them wait', async () => {
    const { call, sent, idle } = makeBatcher({ sendEarlyAt: 2, maxUnderWay: 2 });
    const answers = Promise.all(['a', 'b', 'c'].map((name) => call(name)));
    expect(sent.map(({ calls }) => calls)).toEqual([['a', 'b']]);
    await nextTurn();
    expect(sent.map(({ calls }) => calls)).toEqual([['a', 'b'], ['c']]);
    // Two batches are in flight, so further calls wait for one of them, however many they are.
    const more = Promise.all(['d', 'e', 'f'].map((name) => call(name)));
    await nextTurn();
    expect(sent).toHaveLength(2);
    sent[0]?.answer(['1', '2']);
    sent[1]?.answer(['3']);
    expect(await answers).toEqual(['1', '2', '3']);
    await nextTurn();
    sent[2]?.answer(['4', '5', '6']);
    expect(await more).toEqual(['4', '5', '6']);
    await idle();
  });

  it('are split into batches of the largest size', async () => {
    const { call, sent } = makeBatcher({ maxSize: 2 });
    const answers = Promise.all(['a', 'b', 'c'].map((name) => call(name)));
    await nextTurn();
    expect(sent.map(({ calls }) => calls)).toEqual([['a', 'b'], ['c']]);
    for (const { calls, answer } of sent) answer([...calls]);
    expect(await answers).toEqual(['a', 'b', 'c']);
  });

  it('are split where the next one must not join', async () => {
    const startBatch = () => {
      let first: string | undefined;
      return (name: string) => {
        first ??= name;
        return first === name;
      };
    };
    const { call, sent } = makeBatcher({ startBatch });
    void Promise.all(['a', 'a', 'b', 'a'].map((name) => call(name)));
    await nextTurn();
    expect(sent.map(({ calls }) => calls)).toEqual([['a', 'a'], ['b'], ['a']]);
  });
});

describe('while the maximum number of batches is in flight', () => {
  it('calls wait and form the next batch', async () => {
    const { call, sent, idle } = makeBatcher({ maxUnderWay: 1 });
    const first = call('a');
    await nextTurn();
    const others = Promise.all([call('b'), call('c')]);
    await nextTurn();
    expect(sent.map(({ calls }) => calls)).toEqual([['a']]);
    sent[0]?.answer(['1']);
    expect(await first).toBe('1');
    expect(sent.map(({ calls }) => calls)).toEqual([['a'], ['b', 'c']]);
    sent[1]?.answer(['2', '3']);
    expect(await others).toEqual(['2', '3']);
    await idle();
  });

  it('a call whose deadline passes is not sent', async () => {
    const { call, sent, timeOuts } = makeBatcher({ maxUnderWay: 1 });
    const first = call('a');
    await nextTurn();
    const second = call('b');
    timeOuts[1]?.();
    await expect(second).rejects.toThrow(StoreUnavailable);
    sent[0]?.answer(['1']);
    await first;
    await nextTurn();
    expect(sent.map(({ calls }) => calls)).toEqual([['a']]);
  });
});

describe('a batch beside the one in flight', () => {
  afterEach(() => void vi.restoreAllMocks());
  const another = { minWaiting: 2, maxLastMs: 20 };
  const names = (sent: readonly Sent[]) => sent.map(({ calls }) => calls.join(''));

  it('is sent when enough calls wait', async () => {
    const { call, sent } = makeBatcher({ maxUnderWay: 2, another });
    void call('a');
    await nextTurn();
    void call('b');
    await nextTurn();
    expect(names(sent)).toEqual(['a']);
    void call('c');
    await nextTurn();
    expect(names(sent)).toEqual(['a', 'bc']);
    void Promise.all([call('d'), call('e')]);
    await nextTurn();
    expect(names(sent)).toEqual(['a', 'bc']);
  });

  it('is sent only after a batch that was answered soon', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const { call, sent } = makeBatcher({ maxUnderWay: 2, another });
    const takes = async (name: string, ms: number) => {
      const answer = call(name);
      await nextTurn();
      clock.mockReturnValue(performance.now() + ms);
      sent.at(-1)?.answer([name]);
      await answer;
    };
    await takes('a', 21);
    await takes('b', 20);
    void call('c');
    await nextTurn();
    void Promise.all([call('d'), call('e')]);
    await nextTurn();
    expect(names(sent)).toEqual(['a', 'b', 'c', 'de']);
    for (const { calls, answer } of sent.slice(2)) answer([...calls]);
    await nextTurn();

    await takes('f', 21);
    void call('g');
    await nextTurn();
    void Promise.all([call('h'), call('i')]);
    await nextTurn();
    expect(names(sent).slice(4)).toEqual(['f', 'g']);
  });
});
