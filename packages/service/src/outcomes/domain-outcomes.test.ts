import { describe, expect, it } from 'vitest';
import type { DomainOutcome } from '../store/tables/outcome-table.ts';
import { badDomains, createDomainOutcomes } from './domain-outcomes.ts';

const NOW = Date.UTC(2026, 10, 17);
const DAY = 86_400_000;

const people = (
  domain: string,
  judgement: DomainOutcome['judgement'],
  count: number,
  at = NOW,
): DomainOutcome[] => Array.from({ length: count }, () => ({ domain, judgement, at }));

describe('domains whose people turned out bad', () => {
  it('need three bad people, with names under a domain taken together', () => {
    expect(badDomains(people('two.example', 'bad', 2), NOW).size).toBe(0);
    expect(
      badDomains([...people('a.shop.example', 'bad', 2), ...people('b.shop.example', 'bad', 1)], NOW),
    ).toEqual(new Map([['shop.example', { bad: 3, people: 3, low: 0.44 }]]));
  });

  it('are not those of many good people, or of people who only signed up', () => {
    const bad = people('firm.example', 'bad', 4);
    expect(badDomains([...bad, ...people('firm.example', 'good', 1)], NOW).size).toBe(1);
    expect(badDomains([...bad, ...people('firm.example', 'good', 8)], NOW).size).toBe(0);
    expect(badDomains([...bad, ...people('firm.example', null, 8)], NOW).size).toBe(0);
  });

  it('are forgotten with time, the worse the later', () => {
    const after = (count: number, days: number) =>
      badDomains(people('firm.example', 'bad', count, NOW - days * DAY), NOW).size;
    expect([after(3, 0), after(3, 20), after(3, 30)]).toEqual([1, 1, 0]);
    expect([after(12, 60), after(12, 120)]).toEqual([1, 0]);
  });
});

describe('what a process knows of them', () => {
  it('never waits, reads again after ten minutes and survives a store that fails', async () => {
    let now = NOW;
    let answer: () => Promise<readonly DomainOutcome[]> = async () => people('firm.example', 'bad', 3);
    const faults: unknown[] = [];
    const asked: string[] = [];
    const domains = createDomainOutcomes({
      store: {
        outcomes: {
          domainOutcomes: (projectId: string, which: string) => {
            asked.push(`${projectId} ${which}`);
            return answer();
          },
        } as never,
      },
      now: () => now,
      onFault: (fault) => faults.push(fault),
    });
    expect(domains.of('shop', 'firm.example')).toBeUndefined();
    await expect.poll(() => domains.of('shop', 'mail.firm.example')?.bad).toBe(3);
    expect(domains.of('shop', 'other.example')).toBeUndefined();
    expect(asked).toEqual(['shop judged', 'shop all']);
    answer = async () => Promise.reject(new Error('away'));
    now += 11 * 60_000;
    // The old answer serves this request too.
    expect(domains.of('shop', 'firm.example')?.bad).toBe(3);
    await expect.poll(() => domains.of('shop', 'firm.example')).toBeUndefined();
    expect(faults).toEqual([new Error('away')]);
  });
});
