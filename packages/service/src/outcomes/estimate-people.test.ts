import { expect, it } from 'vitest';
import { countValidations, estimatePeople } from './estimate-people.ts';

async function* slots(...counts: Record<string, number>[]) {
  yield counts.map((each, at) => ({ at, counts: new Map(Object.entries(each)) }));
}

it('adds up everybody’s validations, checks and signals, and nothing else', async () => {
  const counted = await countValidations(
    slots(
      {
        allow: 3,
        block: 2,
        'check:ip': 2,
        'signal:device_seen_<N>_times': 1,
        'domain:a.test': 5,
        'rate-limited': 9,
      },
      { flag: 1, 'check:ip': 1, '!key:k': 2 },
    ),
  );
  expect(counted).toEqual(
    new Map([
      ['', 6],
      ['check ip', 3],
      ['signal device_seen_<N>_times', 1],
    ]),
  );
});

it('estimates people by how often one person tries, for each name by itself', () => {
  const counted = new Map([
    ['', 1_000],
    ['signal hosting_ip', 100],
    ['signal alias_reuse', 60],
    ['check mx', 7],
  ]);
  const sample = new Map([
    ['', { people: 90, validations: 100 }],
    ['signal hosting_ip', { people: 10, validations: 10 }],
    ['signal alias_reuse', { people: 5, validations: 15 }],
    // The statistics may not have merged the newest ones yet.
    ['check disposable', { people: 2, validations: 2 }],
  ]);
  expect(estimatePeople(counted, sample)).toEqual(
    new Map([
      ['', 900],
      ['signal hosting_ip', 100],
      ['signal alias_reuse', 20],
      ['check disposable', 2],
      ['check mx', 7],
    ]),
  );
});
