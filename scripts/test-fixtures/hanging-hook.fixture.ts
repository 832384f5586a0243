import { afterAll, expect, test } from 'vitest';

afterAll(() => new Promise(() => {}));

test('passes', () => {
  expect(1).toBe(1);
});
