import type { RingDetail } from '@postern/contract/dashboard';
import { describe, expect, it } from 'vitest';
import { layOutRing } from './ring-graph.ts';
import { listableParts } from './ring-parts.ts';

const thing = (name: string, people: number, traits = {}) => ({
  name,
  people,
  others: 0,
  isCommon: false,
  ...traits,
});

function ringOf(people: number): RingDetail {
  return {
    id: 'person-0',
    people,
    devices: 2,
    networks: 1,
    domains: ['one.example'],
    domainCount: 2,
    firstSeen: 1,
    lastSeen: 2,
    bad: 0,
    good: 0,
    answers: { allow: people, flag: 0, block: 0 },
    members: Array.from({ length: people }, (_, index) => ({
      inbox: `person-${index}`,
      maskedAddress: null,
      domain: index % 3 === 0 ? 'gmail.com' : 'one.example',
      firstSeen: 1,
      lastSeen: 2,
      times: 1,
      devices: [`device-${index % 2}`],
      networks: ['192.0.2.0/24'],
      answer: 'allow',
      outcome: null,
      validation: `row-${index}`,
      links: [],
    })),
    allDevices: [thing('device-0', 4), thing('device-1', 3)],
    allNetworks: [thing('192.0.2.0/24', people, { others: 4 })],
    allDomains: [thing('one.example', 5), thing('gmail.com', 2, { isCommon: true, others: 900 })],
  };
}

describe('the picture of a ring', () => {
  it('has everybody within its size, beside those with the same device, linked to what they have', () => {
    for (const width of [120, 700]) {
      const { dots, lines, height, left, right, hidden } = layOutRing(ringOf(7), width);
      expect(dots.map(({ member }) => member.devices[0])).toEqual([
        ...Array(4).fill('device-0'),
        ...Array(3).fill('device-1'),
      ]);
      for (const { x, y } of dots) {
        expect(x).toBeGreaterThan(0);
        expect(x).toBeLessThan(width);
        expect(y).toBeGreaterThan(0);
        expect(y).toBeLessThan(height);
      }
      // A device, a domain and a network each.
      expect(lines).toHaveLength(7 * 3);
      expect([left.length, right.map(({ kind }) => kind)]).toEqual([2, ['domain', 'domain', 'network']]);
      expect(hidden).toEqual({ people: 0, things: 0 });
    }
  });

  it('says how many of a large ring are not drawn', () => {
    expect(layOutRing(ringOf(300), 700).hidden.people).toBe(60);
  });
});

describe('what of a ring can be listed', () => {
  it('leaves out what many unrelated people have, and counts others', () => {
    const parts = listableParts(ringOf(7));
    expect(parts.map(({ what, values, others }) => [what, values.length, others])).toEqual([
      ['people', 7, 0],
      ['devices', 2, 0],
      ['domains', 1, 0],
      ['networks', 1, 4],
    ]);
    expect(parts.flatMap(({ values }) => values)).not.toContain('gmail.com');
  });
});
