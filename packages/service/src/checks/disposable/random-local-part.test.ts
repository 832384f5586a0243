import { describe, expect, it } from 'vitest';
import { isRandomLocalPart } from './random-local-part.ts';

describe('a random local part', () => {
  it.each(['xqzvkjwpt', 'x7k2q9zf', 'a1b2c3d4e5', 'qxkvzjwbpf12', 'zqxvbkjw+shop', 'pmzvtkeoxqa'])(
    '%s is one',
    (local) => {
      expect(isRandomLocalPart(local)).toBe(true);
    },
  );

  it.each([
    'jane',
    'janedoe1984',
    'krzysztof',
    'szczepanski',
    'mkrtchyan',
    'mchedlishvili',
    'nguyenthiphuong',
    'zhangxiuqin',
    'schwarzkopf',
    'hrvojekrstic',
    'sjfitzgerald',
    'mxgarcia',
    'j4n3d03',
    'john.xqzvkjw',
    'xq-zvkjwpt',
    'mrsmith2000',
    'abdulqayyum',
    'ahlqvistb',
    'иванпетрович',
    '12345678',
  ])('%s is not', (local) => {
    expect(isRandomLocalPart(local)).toBe(false);
  });
});
