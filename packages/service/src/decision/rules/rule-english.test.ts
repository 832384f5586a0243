import { RULE_FACTS } from '@postern/contract/rules';
import { expect, it } from 'vitest';
import { ruleEnglish } from './rule-english.ts';

it.each([
  ['ip.country == "DE"', 'the country is “DE”'],
  ['ip.country != "DE"', 'the country is not “DE”'],
  ['"DE" == ip.country', 'the country is “DE”'],
  ['ip.country == ""', 'the country is not known'],
  ['ip.country in ["DE", "AT", "CH"]', 'the country is one of “DE”, “AT” and “CH”'],
  ['!(ip.country in ["DE", "AT"])', 'the country is none of “DE” and “AT”'],
  ['ip.asn in [64500]', 'the operator’s AS number is 64500'],
  ['email.domain.endsWith(".example")', 'the domain ends with “.example”'],
  ['!email.domain.startsWith("x")', 'the domain does not start with “x”'],
  ['ip.network.lowerAscii().contains("host")', 'the operator’s name in lower case contains “host”'],
  ['"tor_exit" in signals', 'the signal tor_exit is raised'],
  ['!("tor_exit" in signals)', 'the signal tor_exit is not raised'],
  ['"mx" in failed', 'the check mx fails'],
  ['size(failed) > 2', 'the number of failed checks is more than 2'],
  ['2 <= signals.size()', 'the number of signals is at least 2'],
  ['!(time.hour >= 5)', 'the hour (UTC) is less than 5'],
  ['size(email.domain) < 5', 'the length of the domain is less than 5'],
  ['email.role', 'the address stands for a function, not a person'],
  ['device.reused == false', 'no other inbox has signed up from the device before'],
  ['inList("partners", email.domain)', 'the domain is on the list “partners”'],
  ['!inList("partners", ip.asn)', 'the operator’s AS number is not on the list “partners”'],
  [
    '["tor_exit", "vpn_detected"].exists(s, s in signals)',
    'at least one of the signals tor_exit and vpn_detected is raised',
  ],
  ['signals.exists(s, s.startsWith("device_"))', 'for at least one of the signals, it starts with “device_”'],
  ['failed.all(f, f != "mx")', 'for each of the failed checks, it is not “mx”'],
  ['true', 'anybody signs up'],
])('%s is said as “%s”', (source, expected) => {
  expect(ruleEnglish(source)).toBe(expected);
});

it.each([
  [
    'device.automated && ip.kind == "hosting" && email.tagged',
    'the browser is automated, the kind of IP address is “hosting” and the address carries a tag',
  ],
  [
    '(email.tagged || email.role) && ip.known',
    '(the address carries a tag or the address stands for a function, not a person) and the IP address is known',
  ],
  ['!(email.tagged && ip.known)', 'the address carries no tag or the IP address is not known'],
  [
    'ip.known && !(email.tagged || email.relay)',
    'the IP address is known, the address carries no tag and the address does not belong to a privacy relay',
  ],
  [
    'ip.known && !(email.tagged && email.relay)',
    'the IP address is known and (the address carries no tag or the address does not belong to a privacy relay)',
  ],
])('%s joins its parts', (source, expected) => {
  expect(ruleEnglish(source)).toBe(expected);
});

it('quotes what it has no words for', () => {
  expect(ruleEnglish('!((ip.asn + 1) * 2 > 5)')).toBe('“(ip.asn + 1) * 2 > 5” is false');
  expect(ruleEnglish('ip.asn % 2 == 0 && ip.known')).toBe(
    '“ip.asn % 2 == 0” is true and the IP address is known',
  );
  expect(ruleEnglish('!(ip.known ? email.role :\n  false)')).toBe('“ip.known ? email.role : false” is false');
});

it('says nothing about an expression that is wrong', () => {
  expect(ruleEnglish('ip.asn == "x"')).toBeUndefined();
});

it('has words for every example of a fact', () => {
  for (const { example } of Object.values(RULE_FACTS)) {
    const text = ruleEnglish(example);
    expect(text, example).toBeDefined();
    expect(text, example).not.toContain(' is true');
  }
});
