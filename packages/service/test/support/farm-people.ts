import type { SeenRow } from '../../src/model/seen-row.ts';
import { seededRandom } from './seeded-random.ts';
import { DAY, HOUR, START } from './store-fixtures.ts';

/** What most rows have. */
export const PLAIN = { facts: {}, accused: [], listed: null } as const;

const SPAN = 28 * DAY;
const PROVIDERS = ['gmail.com', 'gmail.com', 'gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com'];

/**
 * People as a shop has them, none of whom belongs to a campaign: at home, behind a carrier’s few addresses, in companies with
 * one gateway and numbered names, at a university, in families with one computer, and with telephones whose fingerprints
 * many strangers have. A third sign up on sites without fingerprints.
 */
export function ordinaryPeople(count: number): SeenRow[] {
  const random = seededRandom(7);
  const below = (most: number) => Math.floor(random() * most);
  const people: SeenRow[] = [];
  let family = 0;
  for (let index = 0; index < count; index += 1) {
    const kind = random();
    if (random() < 0.6) family = index;
    const shape = random() < 0.35 ? (['a99', 'a9999', 'a.a99'][below(3)] ?? null) : null;
    const person = {
      ...PLAIN,
      at: START - Math.floor(random() * SPAN),
      inbox: `person-${index}`,
      recommendation: random() < 0.05 ? ('flag' as const) : ('allow' as const),
      domain: PROVIDERS[below(PROVIDERS.length)] ?? 'gmail.com',
      shape,
      device: random() < 0.33 ? null : `device-${random() < 0.9 ? index : family}`,
      network: `10.${below(200)}.${below(250)}.0`,
    };
    if (kind < 0.25) people.push({ ...person, network: `100.64.${below(15)}.0` });
    else if (kind < 0.32) {
      const company = below(80);
      people.push({ ...person, domain: `company${company}.example`, network: `172.16.${company}.0` });
    } else if (kind < 0.36)
      people.push({
        ...person,
        domain: 'university.example',
        shape: 'a9999999',
        network: random() < 0.6 ? '172.20.1.0' : person.network,
      });
    else if (kind < 0.42) people.push({ ...person, device: `popular-${below(20)}` });
    else if (kind < 0.5) people.push({ ...person, domain: `own${index}.example` });
    else people.push(person);
  }
  return people;
}

/** 4 devices, 103 inboxes, 3 domains and one /24, over a few days. */
export function plantedFarm(start = START - 6 * DAY): SeenRow[] {
  const random = seededRandom(11);
  return [18, 29, 32, 24].flatMap((inboxes, device) =>
    Array.from({ length: inboxes }, (_, index) => ({
      at: start + Math.floor(random() * 60) * HOUR + device * 1_000 + index,
      inbox: `farm-${device}-${index}`,
      device: `farm-device-${device}`,
      network: '203.0.113.0',
      domain: ['cheap-mail.example', 'fastbox.example', 'inbox-now.example'][index % 3] ?? '',
      shape: index % 4 === 0 ? null : 'a99',
      ...PLAIN,
      // The device check fails from the fourth person on.
      accused: index > 2 ? (['device'] as const) : [],
      recommendation: index % 3 === 0 ? ('block' as const) : ('flag' as const),
    })),
  );
}
