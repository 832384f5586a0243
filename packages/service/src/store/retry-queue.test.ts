import { describe, expect, it } from 'vitest';
import { createRetryQueue } from './retry-queue.ts';

describe('work that must be done', () => {
  it('that is in progress on close is awaited, and not done twice', async () => {
    const { add, close } = createRetryQueue();
    let finish = () => {};
    let done = 0;
    add(
      () =>
        new Promise<void>((resolve) => {
          finish = () => {
            done += 1;
            resolve();
          };
        }),
    );
    const closed = close();
    finish();
    await closed;
    expect(done).toBe(1);
  });

  it('that failed is retried once on close', async () => {
    const { add, close } = createRetryQueue();
    let tries = 0;
    const failed = new Promise<void>((resolve) => {
      add(async () => {
        tries += 1;
        if (tries > 1) return;
        resolve();
        throw new Error('not now');
      });
    });
    await failed;
    // The first try has to be over before the last one can begin.
    await new Promise((resolve) => setImmediate(resolve));
    await close();
    expect(tries).toBe(2);
  });
});
