import { expect, it } from 'vitest';
import { createConcurrencyLimit } from './dashboard.ts';

it('runs a fixed number at once, queues a fixed number in order, and refuses the rest', async () => {
  const limited = createConcurrencyLimit(2, 2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const run = (number: number) =>
    limited(() => {
      begun.push(number);
      return new Promise<number>((resolve) => ends.push(() => resolve(number)));
    });
  const results = [run(1), run(2), run(3), run(4)];
  await expect(run(5)).rejects.toMatchObject({ status: 503, extra: { retryAfter: 5 } });
  expect(begun).toEqual([1, 2]);
  for (let done = 0; done < 4; done += 1) {
    ends[done]?.();
    await results[done];
    await new Promise(setImmediate);
  }
  expect(begun).toEqual([1, 2, 3, 4]);
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
});

it('continues after a failure', async () => {
  const limited = createConcurrencyLimit(1, 1);
  const failed = limited(() => Promise.reject(new Error('no')));
  const next = limited(() => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await limited(() => Promise.resolve('again'))).toBe('again');
});
