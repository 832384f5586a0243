import { describe, expect, it } from 'vitest';
import { createFairQueue, type QueuedWork } from './fair-queue.ts';

/** Work that runs until the test ends it. */
function job(started: string[], name: string): QueuedWork & { readonly end: () => Promise<void> } {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    start: () => {
      started.push(name);
      return done;
    },
    end: async () => {
      end();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('a fair queue', () => {
  it('leaves slots free for other projects, however much one asks for', () => {
    const started: string[] = [];
    const queue = createFairQueue({ maxRunning: 8, maxWaiting: 100 });
    for (let number = 0; number < 20; number += 1) queue.add('greedy', job(started, `greedy ${number}`));
    expect(started).toHaveLength(4);
    queue.add('other', job(started, 'other'));
    expect(started).toContain('other');
    queue.add('third', job(started, 'third'));
    expect(started).toContain('third');
  });

  it('lets projects take turns', async () => {
    const started: string[] = [];
    const queue = createFairQueue({ maxRunning: 2, maxWaiting: 100 });
    const first = job(started, 'a0');
    queue.add('a', first);
    for (const name of ['a1', 'a2', 'a3']) queue.add('a', job(started, name));
    const blocker = job(started, 'b0');
    queue.add('b', blocker);
    for (const name of ['b1', 'b2']) queue.add('b', job(started, name));
    expect(started).toEqual(['a0', 'b0']);
    await first.end();
    expect(started).toEqual(['a0', 'b0', 'a1']);
    await blocker.end();
    expect(started).toEqual(['a0', 'b0', 'a1', 'b1']);
  });

  it('refuses excess work of one project, and keeps room for others', () => {
    const queue = createFairQueue({ maxRunning: 2, maxWaiting: 10 });
    const admitted = Array.from({ length: 20 }, (_, number) => queue.add('greedy', job([], `${number}`)));
    expect(admitted.filter(Boolean)).toHaveLength(1 + 5);
    queue.add('other', job([], 'running'));
    expect(queue.add('other', job([], 'waiting'))).toBe(true);
  });

  it('drops work that nobody wants any more', async () => {
    const started: string[] = [];
    const queue = createFairQueue({ maxRunning: 2, maxWaiting: 100 });
    const first = job(started, 'first');
    queue.add('a', first);
    const unwanted = job(started, 'unwanted');
    queue.add('a', unwanted);
    queue.add('a', job(started, 'last'));
    queue.remove(unwanted);
    expect(queue.waiting()).toBe(1);
    await first.end();
    expect(started).toEqual(['first', 'last']);
  });

  it('starts work that is queued for two projects only once, at the first turn', async () => {
    const started: string[] = [];
    const queue = createFairQueue({ maxRunning: 3, maxWaiting: 100 });
    const running = [job(started, 'a0'), job(started, 'a1')];
    for (const work of running) queue.add('a', work);
    queue.add('a', job(started, 'a2'));
    const shared = job(started, 'shared');
    queue.add('a', shared);
    queue.add('b', shared);
    for (const work of running) await work.end();
    expect(started.filter((name) => name === 'shared')).toHaveLength(1);
    expect(queue.waiting()).toBe(0);
  });
});
