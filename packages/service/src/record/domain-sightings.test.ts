import { describe, expect, it } from 'vitest';
import type { Slot } from '../store/tables/statistics-table.ts';
import { oldDomains } from './domain-sightings.ts';

const NOW = Date.UTC(2026, 10, 17);
const DAY = 86_400_000;

const slot = (days: number, ...words: string[]): Slot => ({
  at: NOW - days * DAY,
  counts: new Map(words.map((word) => [word, 1])),
});
async function* portions(...slots: Slot[]) {
  for (const one of slots) yield [one];
}

describe('the domains that a project has known for longer than a week', () => {
  it('are those of the half hours before it, with names under a domain taken together', async () => {
    const read = portions(
      slot(40, 'allow', 'domain:a.shop.example', '!domain:blocked.example', 'asn:64500'),
      slot(8, 'domain:firm.example'),
      slot(6, 'domain:fresh.example', 'over:domain'),
    );
    expect(await oldDomains(read, NOW)).toEqual(new Set(['shop.example', 'firm.example']));
  });

  it('are unknown to a project with a short history, and where half hours have lost domains', async () => {
    expect(await oldDomains(portions(slot(29, 'domain:firm.example')), NOW)).toBeUndefined();
    expect(await oldDomains(portions(), NOW)).toBeUndefined();
    const busy = portions(slot(40, 'domain:firm.example'), slot(8, 'domain:firm.example', 'over:domain'));
    expect(await oldDomains(busy, NOW)).toBeUndefined();
  });
});
