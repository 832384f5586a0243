import { beforeAll, test } from 'vitest';

beforeAll(() => {
  throw new Error('this hook throws');
});

test('is never reached', () => {});
