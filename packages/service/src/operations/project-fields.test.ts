import type { ProjectPatch } from '@postern/contract/project-fields';
import { expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../model/project.ts';
import { InvalidInput } from './administration.ts';
import { type NewProjectFields, readProjectFields } from './project-fields.ts';

const PLANS = new Map([
  ['free', 1000],
  ['pro', 100_000],
]);
const read = (fields: NewProjectFields) => readProjectFields(fields, PLANS, DEFAULT_POLICY);
/** Values straight from JSON, whatever the types say. */
const json = (fields: unknown) => fields as ProjectPatch;

test('an absent field stays absent, so that the store leaves it alone', () => {
  expect(read({})).toEqual({});
  expect(read({ name: undefined, rateClient: 5 })).toEqual({ rateClient: 5 });
});

test.each(['demo', 'A', '0', 'my-project_2', 'x'.repeat(64)])('%j is a project ID', (id) => {
  expect(read({ id, rateClient: 5 })).toEqual({ rateClient: 5 });
});

test.each(['', '-a', '_a', 'a b', 'ä', 'a/b', 'x'.repeat(65), 'a\n'])('%j is not a project ID', (id) => {
  expect(() => read({ id })).toThrow(/is not a project ID/);
});

test.each<[string, unknown, RegExp]>([
  ['blank name', { name: '  ' }, /name has 1 to 100/],
  ['name of another type', { name: 7 }, /name has 1 to 100/],
  ['unknown plan', { plan: 'gold' }, /Plan 'gold' is not known. Use one of: free, pro/],
  ['plan by a prototype’s name', { plan: 'constructor' }, /is not known/],
  ['broken quota', { quotaLimit: 1.5 }, /Own monthly quota must be a whole number/],
  ['quota that is no number', { quotaLimit: Number.NaN }, /Own monthly quota must be a whole number/],
  ['quota as text', { quotaLimit: '5' }, /Own monthly quota must be a whole number/],
  ['negative rate', { rateClient: -1 }, /Client key rate must be a whole number/],
  ['no retention', { retentionDays: 0 }, /Retention must be a whole number from 1 to 3650 \(days\)/],
  [
    'pattern with a path',
    { allowedDomains: ['example.com/a'] },
    /'example.com\/a' is not an allowed-domain pattern/,
  ],
  ['everybody under a public suffix', { allowedDomains: ['*.com'] }, /\*\.com would let in anyone/],
  [
    'everybody under one of two labels',
    { allowedDomains: ['https://*.co.uk:8443'] },
    /anyone .* under co\.uk/,
  ],
  ['patterns that are no list', { allowedDomains: 'example.com' }, /must be a list/],
  [
    'an entry',
    { allowList: [{ value: 'nonsense' }] },
    /Always allow: 'nonsense'.*AS<number>.*2001:db8::\/32/,
  ],
  ['an entry that flags', { allowList: [{ value: 'a.example', flag: true }] }, /Unknown field in .*: 'flag'/],
  ['a list called __proto__', { namedLists: JSON.parse('{"__proto__":[]}') }, /not a list’s name/],
  ['unknown check', { policy: { actions: { spelling: 'block' } } }, /Check 'spelling' is not known/],
  ['unknown action', { policy: { actions: { mx: 'deny' } } }, /Action of mx 'deny' is not known/],
  [
    'unknown relays',
    { policy: { relays: 'block' } },
    /Privacy relays 'block' is not known. Use one of: pass, fail/,
  ],
  ['threshold 0', { policy: { deviceThreshold: 0 } }, /Device threshold must be/],
])('%s is refused with what to do', (_, fields, message) => {
  expect(() => read(json(fields))).toThrow(InvalidInput);
  expect(() => read(json(fields))).toThrow(message);
});

test('all faults are said at once', () => {
  const policy = { relays: 'block', actions: { mx: 'deny' } };
  expect(() => read(json({ rateClient: -1, logRetentionDays: 'x' }))).toThrow(
    /Client key rate must be .* Log retention must be a whole number/,
  );
  expect(() => read(json({ policy }))).toThrow(/Action of mx 'deny' .* Privacy relays 'block'/);
  const rules = [{ id: 'a', name: '', when: 'ip.asn ==', then: 'flag' }];
  const others = { plan: 'gold', allowedDomains: ['a/b'], namedLists: { Bad: [], bad: [{ value: '!' }] } };
  expect(() => read(json({ policy, rules, rateClient: -1, blockList: [{ value: 'x' }], ...others }))).toThrow(
    new RegExp(
      [
        'Client key rate must be .*Action of mx .*Privacy relays .*Rule 1 \\(a\\): name must be one line',
        "'Bad' is not a list’s name.*'a/b' is not an allowed-domain pattern.*Plan 'gold'.*Always block: 'x' is not",
        "Rule 1 \\(a\\): Line 1, column .*List bad: '!' is not an address",
      ].join('.*'),
    ),
  );
});

test('an action changes its own check only, and off takes the check out', () => {
  const { policy } = read({ policy: { actions: { ip: 'block', alias: 'off' } } });
  const { alias: _, ...others } = DEFAULT_POLICY.actions;
  expect(policy?.actions).toEqual({ ...others, ip: 'block' });
  expect(policy?.deviceThreshold).toBe(DEFAULT_POLICY.deviceThreshold);
});

test('domains are kept as written, and once for each meaning', () => {
  const { allowedDomains } = read({
    allowedDomains: [' Example.com', 'example.com', 'localhost:*', 'app://com.Example.App'],
  });
  expect(allowedDomains).toEqual(['Example.com', 'localhost:*', 'app://com.Example.App']);
});

test('the last of several equal entries stays, with its note', () => {
  const blockList = [
    { value: 'example.com', note: 'first' },
    { value: '@EXAMPLE.com', note: 'second', expiresAt: 5 },
  ];
  expect(read({ blockList })).toEqual({
    blockList: [{ value: 'example.com', note: 'second', expiresAt: 5 }],
  });
});

test('a quota of null gives the project its plan’s limit again', () => {
  expect(read({ quotaLimit: null })).toEqual({ quotaLimit: null });
  expect(read({ quotaLimit: 0 })).toEqual({ quotaLimit: 0 });
});
