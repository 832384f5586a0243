import { describe, expect, it } from 'vitest';
import { addLines, type Counts, mergeCounts, readCounts, writeCounts } from './counts.ts';

const counted = (lines: string) => {
  const counts: Counts = new Map();
  addLines(counts, lines);
  return Object.fromEntries(counts);
};

describe('lines of the statistics', () => {
  it('count each word once for a validation, and what was blocked apart', () => {
    expect(
      counted(
        '1 block domain:a.example asn:3/A class:free ran:mx key:k check:mx check:mx \n1 allow domain:a.example asn:3/A class:free ran:mx key:k ',
      ),
    ).toEqual({
      ...{
        block: 1,
        allow: 1,
        'domain:a.example': 2,
        '!domain:a.example': 1,
        'asn:3/A': 2,
        '!asn:3/A': 1,
        'check:mx': 1,
      },
      ...{ 'class:free': 2, '!class:free': 1, 'ran:mx': 2, 'key:k': 2, '!key:k': 1 },
    });
  });

  it('leave out words about people, and take back with a negative number', () => {
    expect(counted('1 allow inbox:i device:d mode:live domain:a.example')).toEqual({
      allow: 1,
      'domain:a.example': 1,
    });
    expect(counted('1 allow\n-1 allow')).toEqual({ allow: 0 });
  });

  it('count a signal with a number under its family', () => {
    expect(counted('1 allow class:free signal:device_seen_12_times ')).toMatchObject({
      'signal:device_seen_<N>_times': 1,
    });
  });
});

describe('the sketch of domains', () => {
  const hour = (domains: readonly string[]) => {
    const row: Counts = new Map();
    for (let at = 0; at < domains.length; at += 50) {
      const added: Counts = new Map();
      addLines(
        added,
        domains
          .slice(at, at + 50)
          .map((domain) => `1 allow domain:${domain}`)
          .join('\n'),
      );
      mergeCounts(row, added);
    }
    return row;
  };

  it('is exact while every domain has room', () => {
    const row = hour(Array.from({ length: 480 }, (_, index) => `d${index % 48}.example`));
    expect(row.get('over:domain')).toBeUndefined();
    expect([...row].filter(([word]) => word.startsWith('domain:')).every(([, count]) => count === 10)).toBe(
      true,
    );
  });

  it('finds the frequent ones among thousands, never too low and too high by little', () => {
    const domains = Array.from({ length: 6_000 }, (_, index) =>
      index % 3 === 0 ? 'often.example' : index % 5 === 0 ? 'second.example' : `made-up-${index}.example`,
    );
    const row = hour(domains);
    const real = (name: string) => domains.filter((domain) => domain === name).length;
    expect([...row.keys()].filter((word) => word.startsWith('domain:'))).toHaveLength(48);
    expect(row.get('over:domain')).toBeGreaterThan(0);
    expect(row.get('allow')).toBe(6_000);
    for (const name of ['often.example', 'second.example']) {
      expect(row.get(`domain:${name}`)).toBeGreaterThanOrEqual(real(name));
      expect(row.get(`domain:${name}`)).toBeLessThanOrEqual(real(name) + 6_000 / 48);
    }
  });

  it('survives being written and read', () => {
    const row = hour(['a.example', '__proto__']);
    expect(readCounts(writeCounts(row))).toEqual(row);
  });
});
