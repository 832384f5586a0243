import { RULE_PRESETS } from '@postern/contract/rule-presets';
import { RULE_FACTS } from '@postern/contract/rules';
import { expect, it } from 'vitest';
import { ruleWarnings } from './rule-warnings.ts';

it.each([
  ['ip.country == "uk"', 15, 'ip.country is never “uk”. Write “GB”.'],
  ['ip.country in ["DE", "de"]', 22, 'ip.country is never “de”. Write “DE”.'],
  ['ip.country != "Germany"', 15, 'ip.country is never “Germany”. It is two capital letters, such as DE.'],
  ['ip.country == "XQ"', 15, 'There is no country “XQ”.'],
  ['"tor" in signals', 1, 'No check gives the signal “tor”. Did you mean “tor_exit”?'],
  [
    '"network_burts" in signals',
    1,
    'No check gives the signal “network_burts”. Did you mean “network_burst”?',
  ],
  ['"rule_a" in signals', 1, 'No check gives the signal “rule_a”.'],
  [
    '["a", "MX"].exists(x, x in failed) || "MX" in failed',
    39,
    /^failed is never “MX”\. Expected one of syntax/,
  ],
  ['ip.kind == "datacenter"', 12, /^ip\.kind is never “datacenter”\. Expected one of private/],
  ['"Free" == email.class', 1, /^email\.class is never “Free”/],
  ['email.domain == "Example.com"', 17, 'email.domain is in lower case. Write “example.com”.'],
  ['email.tld == ".ru"', 14, 'email.tld is the last label only. Write “ru”.'],
  ['time.hour == 24', 14, 'time.hour is never 24. It is 0 to 23.'],
  ['time.weekday in [0, 6]', 18, 'time.weekday is never 0. It is 1 to 7.'],
])('warns about %s', (when, column, message) => {
  expect(ruleWarnings(when)).toEqual([
    { line: 1, column, message: typeof message === 'string' ? message : expect.stringMatching(message) },
  ]);
});

it('does not warn about what can be, nor about the examples and presets', () => {
  for (const when of [
    'ip.country == "" || ip.country in ["GB", "US", "XK"]',
    '"device_seen_<N>_times" in signals && "mx" in failed',
    'email.domain == "" || ip.kind == ""',
    'time.hour < 24 && wrong',
    ...Object.values(RULE_FACTS).map(({ example }) => example),
    ...Object.values(RULE_PRESETS).map((preset) => preset.when),
  ])
    expect(ruleWarnings(when), when).toEqual([]);
});
