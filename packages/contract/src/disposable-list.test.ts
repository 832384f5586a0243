import { describe, expect, it } from 'vitest';
import {
  DISPOSABLE_LIST_MAX_BYTES,
  decodeDisposableList,
  domainHash,
  encodeDisposableList,
} from './disposable-list.ts';

const listOf = (listed: string[], freeHosts: string[] = [], exceptions: string[] = []) =>
  decodeDisposableList(
    encodeDisposableList({
      listed: listed.map(domainHash),
      freeHosts: freeHosts.map(domainHash),
      exceptions: exceptions.map(domainHash),
    }),
  );

describe('the offline list', () => {
  it('has what is listed, and every name under it', () => {
    const list = listOf(['mailinator.com', 'trash.example']);
    for (const domain of ['mailinator.com', 'a.mailinator.com', 'x.y.trash.example']) {
      expect(list.includes(domain)).toBe(true);
    }
    for (const domain of ['gmail.com', 'notmailinator.com', 'com', 'example', '']) {
      expect(list.includes(domain)).toBe(false);
    }
  });

  it('lets the most specific entry win', () => {
    const list = listOf(['trash.example'], ['free.example'], ['real.trash.example']);
    expect(list.includes('real.trash.example')).toBe(false);
    expect(list.includes('a.real.trash.example')).toBe(false);
    expect(list.includes('free.example')).toBe(false);
    expect(list.includes('anybody.free.example')).toBe(true);
  });

  it('stays below 500 KB and below one false match in 100,000 with 200,000 domains', () => {
    const names = Array.from({ length: 200_000 }, (_, index) => `listed-${index}.example`);
    const bytes = encodeDisposableList({ listed: names.map(domainHash), freeHosts: [], exceptions: [] });
    expect(bytes.length).toBeLessThan(DISPOSABLE_LIST_MAX_BYTES);
    const list = decodeDisposableList(bytes);
    expect(names.every((name) => list.includes(name))).toBe(true);
    const strangers = Array.from({ length: 200_000 }, (_, index) => `stranger-${index}.test`);
    expect(strangers.filter((name) => list.includes(name)).length).toBeLessThanOrEqual(8);
  });

  it('is refused when it is cut off or something else', () => {
    const bytes = encodeDisposableList({ listed: [domainHash('a.example')], freeHosts: [], exceptions: [] });
    expect(() => decodeDisposableList(bytes.subarray(0, 12))).toThrow('cut off');
    expect(() => decodeDisposableList(new Uint8Array(100))).toThrow('not a Postern list');
  });
});
