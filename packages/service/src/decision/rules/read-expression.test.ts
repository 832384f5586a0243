import { Environment } from '@marcbachmann/cel-js';
import { RULE_FACTS, type RuleFactName } from '@postern/contract/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ruleContext, ruleFactsWith } from '../../../test/support/rule-facts.ts';
import { type Expression, factSchema, readExpression } from './read-expression.ts';
import type { RuleContext } from './rule-context.ts';

const FACTS = ruleFactsWith({
  'email.domain': 'mail.example.co.uk',
  'email.registrable': 'example.co.uk',
  'email.class': 'business',
  'email.role': true,
  'ip.known': true,
  'ip.kind': 'hosting',
  'ip.country': 'DE',
  'ip.asn': 64500,
  'device.reused': true,
  signals: ['role_email', 'hosting_ip', 'device_reuse'],
  failed: ['roleEmail', 'ip'],
  'time.hour': 23,
});
const CONTEXT: RuleContext = {
  ...ruleContext(FACTS),
  inList: (name, value) => name === 'partners' && value === 'mail.example.co.uk',
};

function matches(source: string, context = CONTEXT): boolean {
  const read = readExpression(source);
  if (!read.ok) throw new Error(`${source}: ${JSON.stringify(read.fault)}`);
  return read.expression.matches(context);
}

describe('an expression', () => {
  it.each([
    ['email.domain == "mail.example.co.uk"', true],
    ['email.domain.endsWith(".co.uk") && !email.relay', true],
    ['ip.country in ["DE", "AT"] && ip.asn == 64500', true],
    ['ip.asn in [1, 2, 64500]', true],
    ['"role_email" in signals', true],
    ['"tor_exit" in signals', false],
    ['signals.exists(s, s.startsWith("device_"))', true],
    ['["a", "hosting_ip"].exists(x, x in signals)', true],
    ['signals.all(s, size(s) > 3)', true],
    ['failed.exists_one(f, f == "ip")', true],
    ['size(failed) == 2 && failed.size() >= 2', true],
    ['time.hour >= 22 || time.hour < 6', true],
    ['ip.asn / 1000 == 64 && ip.asn % 1000 == 500', true],
    ['-ip.asn < 0 && ip.asn - 500 == 64000 && ip.asn * 2 == 129000', true],
    ['double(ip.asn) / 2.0 > 32249.5', true],
    ['int(2.9) == 2 && string(ip.asn) == "64500"', true],
    ['"x" + ip.country == "xDE"', true],
    ['ip.network.lowerAscii().contains("hosting") ? false : true', true],
    ['email.registrable.upperAscii() == "EXAMPLE.CO.UK"', true],
    ['inList("partners", email.domain)', true],
    ['inList("partners", ip.asn)', false],
    ['1 / 0 == 1 || true', true],
    ['true || 1 / 0 == 1', true],
    ['failed == ["roleEmail", "ip"]', true],
    // Types of lists that are not written out.
    ['(email.role ? [1] : [2]).exists(e, e + 1 > 2)', false],
    ['(email.role ? [ip.asn] : [2]).exists(e, e + 500 > 65000)', false],
    ['(email.role ? [1] : [2]).exists(e, e - 1 == 0 && int(e) == 1 && double(e) * 2.0 == 2.0)', true],
    ['(email.role ? ["a"] : []).exists(e, e + "b" == "ab")', true],
    ['"TacoCÆT".lowerAscii() == "tacocÆt" && "ßé".upperAscii() == "ßé"', true],
    // By code points, not by UTF-16 units.
    ['"\\U0001F600" > "\\uFF5E" && "\\U0001F600" < "\\U0001F601" && "a" < "ab"', true],
    ['1.0 / double(-time.weekday) > 0.0 && string(1.0 / 0.0) == "+Inf"', true],
    [`${'('.repeat(32)}true${')'.repeat(32)}`, true],
    ['email.role', true],
  ])('%s is %s', (source, expected) => {
    expect(matches(source)).toBe(expected);
  });

  it('fails if its evaluation fails, and only then', () => {
    for (const source of [
      '1 / (ip.asn - 64500) == 1',
      'ip.asn % 0 == 0',
      '1 / 0 == 1 || false',
      '9007199254740991 + ip.asn > 0',
      'int(1.0 / 0.0) > 5',
      'int(0.0 / 0.0) == 0 || int(double(9007199254740991) * 2.0) > 0',
    ])
      expect(() => matches(source), source).toThrow();
  });

  it('says what it looks at', () => {
    const read = readExpression('"alias_reuse" in signals && inList("a", email.domain) && size(failed) > 1');
    if (!read.ok) throw new Error('not read');
    const { facts, words, lists } = read.expression.use;
    expect([...facts]).toEqual(['email.domain', 'failed']);
    expect([...words.signals]).toEqual(['alias_reuse']);
    expect([...lists]).toEqual([['a', 35]]);
  });
});

it('asks a list about a value once in a request, however often it is evaluated', () => {
  const again = Array(3).fill('inList("a", email.domain)').join(' || ');
  const read = readExpression(`[${'1, '.repeat(20)}1].exists(x, ${again})`);
  if (!read.ok) throw new Error(read.fault.message);
  let asked = 0;
  const context = {
    ...CONTEXT,
    inList: () => {
      asked += 1;
      return false;
    },
  };
  expect(read.expression.matches(context)).toBe(false);
  expect(read.expression.matches(context)).toBe(false);
  expect(asked).toBe(1);
  // It can be a domain with 127 labels, and each is looked up.
  expect(read.expression.steps).toBeGreaterThan(readExpressionSteps('inList("a", ip.asn)') + 200);
});

function readExpressionSteps(source: string): number {
  const read = readExpression(source);
  return read.ok ? read.expression.steps : 0;
}

describe('a fault', () => {
  it.each([
    ['ip.country = "DE"', 1, 12, /^Write == to compare\.$/],
    ['ip.country === "DE"', 1, 14, /^Write == to compare\.$/],
    ['ip.country <> "DE"', 1, 12, /^Write != /],
    ['email.role and\n ip.known', 1, 12, /^Write && for “and”\.$/],
    ['email.role ||\nip.known or email.tagged', 2, 10, /^Write \|\| for “or”\.$/],
    ['email.role & ip.known', 1, 12, /^Write && /],
    ['not email.role', 1, 1, /^Write ! for “not”/],
    ['ip.known && not email.role', 1, 13, /^Write ! for “not”/],
    ['ip.country not in ["DE"]', 1, 12, /!\(value in list\)/],
    ['if ip.known', 1, 1, /Leave “if” out/],
    ['email.role ip.known', 1, 12, /“ip” cannot stand here\. Expected && or \|\|/],
    ['email.domain contains "x"', 1, 14, /Expected text\.contains\("x"\)/],
    ['ip.country == “DE”', 1, 15, /straight quotes/],
    ['$email == "x"', 1, 1, /without a sign before them, such as email\.domain/],
    ['email == "x"', 1, 1, /email is a group of facts.*Expected one of email\.domain/],
    ['ip.country == "DE', 1, 15, /closing quote/],
    ['ip.country in ["DE"', 1, 20, /^Expected ], but the condition ends/],
    ['ip.country in ("DE", "AT")', 1, 20, /A list is in \[ ]/],
    ['email.role)', 1, 11, /no \( for this/],
    ['email.role &&', 1, 14, /ends too early/],
    ['', 1, 1, /Expected a condition, such as/],
    [
      'email.doman == "x"',
      1,
      7,
      /email\.doman\. Did you mean email\.domain\? Expected one of email\.domain, /,
    ],
    ['emial.domain == "x"', 1, 1, /no fact emial\.domain\. Did you mean email\.domain\?/],
    ['network.contry == "DE"', 1, 1, /no fact network\.contry\. Did you mean ip\.country\?/],
    ['emial.domain.endsWith("x")', 1, 1, /Did you mean email\.domain\?/],
    ['crowd.domian.day > 5', 1, 7, /Did you mean crowd\.domain\.day\?/],
    ['email.Role', 1, 7, /Did you mean email\.role\?/],
    ['country == "DE"', 1, 1, /no fact country\. Did you mean ip\.country\?/],
    ['ip.country == DE', 1, 15, /If it is a text, write "DE"\..*email\.domain/],
    ['email.role == True', 1, 15, /^Write true\.$/],
    [
      'email.role &&\n  ip.asn == "64500"',
      2,
      3,
      /ip\.asn is a whole number, "64500" is a text\. Write 64500 without/,
    ],
    ['ip.country == 49', 1, 1, /Write "49" in quotes/],
    ['email.role == "true"', 1, 1, /Write email\.role, or !email\.role/],
    ['signals == "a"', 1, 1, /Write "a" in signals/],
    ['signals.contains("a")', 1, 1, /Write "a" in signals/],
    ['ip.country in "DE"', 1, 1, /Expected a list after in/],
    ['ip.asn in ["1"]', 1, 1, /whose values are like ip\.asn: a whole number/],
    ['ip.asn == 1.0', 1, 1, /Write double\(ip\.asn\)/],
    ['ip.country == null', 1, 1, /A fact that is missing is ""/],
    ['1 < time.hour < 5', 1, 1, /Write && between two comparisons/],
    ['!email.domain', 1, 1, /Expected a condition; email\.domain is a text/],
    ['email.domain && ip.known', 1, 1, /Expected a comparison, such as email\.domain/],
    ['ip.country.startsWith(1)', 1, 1, /Expected text\.startsWith\("x"\)\. Here 1 is a whole number/],
    ['size(ip.asn) > 1', 1, 1, /Expected size\(value\)/],
    ['failed.length > 1', 1, 8, /Write size\(failed\)/],
    ['ip.country in ["DE", 5]', 1, 22, /one type in a list/],
    ['signals.exists(s, s)', 1, 19, /Expected a condition after the comma/],
    ['ip.asn', 1, 1, /Expected a condition.*this is a whole number/],
    ['email.domain.matches("a+")', 1, 1, /no function matches/],
    ['email.domain.split(".").size() > 2', 1, 1, /no function split/],
    ['signals.map(s, s) == []', 1, 1, /no function map/],
    ['signals.exists(s, failed.exists(f, f == s))', 1, 19, /inside each other/],
    ['signals[0] == "a"', 1, 1, /no \[ ] behind a value/],
    ['ip.known && {"a": 1} == {"a": 1}', 1, 14, /no maps.*Write a list/],
    ['cel.bind(x, 1, x == 1)', 1, 1, /./],
    ['dyn(1) == 1', 1, 1, /no function dyn/],
    ['1u == 1u', 1, 1, /Leave out the u/],
    ['b"a" == b"a"', 1, 1, /Expected a text in quotes/],
    ['null == null', 1, 1, /./],
    ['timestamp("2026-01-01T00:00:00Z") == timestamp("2026-01-01T00:00:00Z")', 1, 1, /no function timestamp/],
    ['inList(email.domain, email.domain)', 1, 1, /name in quotes/],
    ['int("x") == 1', 1, 1, /int takes a number, and "x" is none/],
    ['double("1.5") > 1.0', 1, 1, /double takes a number/],
    ['ip.asn == 99999999999999999', 1, 11, /too large\. Expected at most 9007199254740991/],
    ['ip.asn > 99999999999999999999999', 1, 10, /too large/],
    [
      '[].all(x, x == x)',
      1,
      1,
      /type of \[] cannot be determined here\. Write a list with at least one value/,
    ],
    ['email.role &&\n [].exists(e, e > 0)', 2, 2, /type of \[] cannot be determined/],
    ['([][0]) == ([][0])', 1, 2, /cannot be determined/],
    ['({}.x) == ({}.x)', 1, 2, /./],
    ['ip.known && package == "x"', 1, 13, /keeps the word “package” for itself/],
  ])('in %j is at line %i, column %i', (source, line, column, message) => {
    const read = readExpression(source);
    expect(read).toMatchObject({ ok: false, fault: { line, message: expect.stringMatching(message) } });
    if (!read.ok) expect(read.fault.column).toBe(column);
  });

  it('is what a long, deep or slow expression costs', () => {
    const slow = [
      `"${'a'.repeat(2_000)}" == ""`,
      `${'('.repeat(500)}true${')'.repeat(500)}`,
      `${'!'.repeat(500)}true`,
      `${'true && '.repeat(120)}true`,
      `[${'"a", '.repeat(60)}"a"].exists(x, x in signals)`,
      `signals.exists(s, size(${'s + '.repeat(40)}s) > 0)`,
      // Long texts that are worked on again and again.
      `[${'1, '.repeat(40)}1].exists(x, size("${'a'.repeat(1_500)}") == x)`,
      `["${'a'.repeat(1_500)}"].exists(x, ${'size(x) == 1 || '.repeat(15)}true)`,
      `"${'a'.repeat(1_500)}"${'.lowerAscii()'.repeat(15)} == ""`,
      `[${'1, '.repeat(20)}1].exists(x, inList("a", string(x) + "${'.a'.repeat(100)}"))`,
      `signals.exists(s, ${'email.domain.contains(s) || '.repeat(2)}false)`,
      // A list behind ?: is as long as its longer branch.
      `(email.role ? [${'1, '.repeat(90)}1] : [1]).exists(x, ${'x == 1 || '.repeat(8)}false)`,
    ];
    for (const source of slow) expect(readExpression(source).ok, source.slice(0, 40)).toBe(false);
  });
});

it('gives the result of the library’s own evaluator', () => {
  const library = new Environment();
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(factSchema()))
    if (typeof schema === 'string') library.registerVariable(name, schema);
    else library.registerVariable(name, { schema });
  for (const name of Object.keys(RULE_FACTS)) {
    const value = FACTS[name as RuleFactName];
    const parts = name.split('.');
    const last = parts.pop() ?? '';
    const place = parts.reduce<Record<string, unknown>>((inner, part) => {
      inner[part] ??= {};
      return inner[part] as Record<string, unknown>;
    }, values);
    place[last] = typeof value === 'number' ? BigInt(value) : value;
  }

  let compared = 0;
  fc.assert(
    fc.property(condition(4), (source) => {
      const read = readExpression(source);
      if (!read.ok) return;
      compared += 1;
      const outcome = (work: () => unknown) => {
        try {
          return work();
        } catch {
          return 'error';
        }
      };
      expect([source, outcome(() => read.expression.matches(CONTEXT))]).toEqual([
        source,
        outcome(() => library.evaluate(source, values)),
      ]);
    }),
    { numRuns: 400 },
  );
  expect(compared).toBeGreaterThan(300);
});

it('reads any text within a moment, or says what is wrong', () => {
  const pieces = fc.constantFrom(
    ...[
      'email.domain',
      'signals',
      '(',
      ')',
      '[',
      ']',
      '&&',
      '||',
      '!',
      '==',
      '.exists(s, ',
      '"',
      "'",
      '\\',
      '1',
      '-',
      '?',
      ':',
      ',',
      ' ',
      '\n',
      '.',
      'true',
      'x',
      '\u0000',
      '💥',
      'r"',
      '"""',
      '//',
      '0x',
      '1e9',
      '{',
      '}',
      '__proto__',
      'constructor',
    ],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const read = readExpression(parts.join(''));
      if (read.ok) expect(['boolean', 'RangeError']).toContain(resultType(read.expression));
      else expect(read.fault).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
    }),
    { numRuns: 500 },
  );
});

/** What an evaluation gives or throws. */
function resultType({ matches }: Expression): string {
  try {
    return typeof matches(CONTEXT);
  } catch (error) {
    return (error as Error).name;
  }
}

function condition(depth: number): fc.Arbitrary<string> {
  const number = fc.constantFrom(
    'ip.asn',
    'time.hour',
    '0',
    '1',
    '64500',
    '-3',
    'size(signals)',
    '(ip.asn - 64500)',
  );
  const text = fc.constantFrom('email.domain', 'ip.country', '"DE"', '""', 'email.tld', '(ip.country + "x")');
  const sum = fc
    .tuple(number, fc.constantFrom('+', '-', '*', '/', '%'), number)
    .map((parts) => `(${parts.join(' ')})`);
  const anyNumber = fc.oneof(number, sum);
  const order = fc.constantFrom('<', '<=', '>', '>=', '==', '!=');
  const simple = fc.oneof(
    fc.tuple(anyNumber, order, anyNumber).map((parts) => parts.join(' ')),
    fc.tuple(text, order, text).map((parts) => parts.join(' ')),
    fc
      .tuple(text, fc.constantFrom('startsWith', 'endsWith', 'contains'), text)
      .map(([on, name, part]) => `${on}.${name}(${part})`),
    fc.constantFrom(
      'email.role',
      'device.known',
      '"ip" in failed',
      '"x" in signals',
      'ip.country in ["DE", "FR"]',
      '(email.role ? [ip.asn] : [2]).exists(e, e + 500 > 65000)',
      '(device.known ? [1] : [time.hour, 3]).all(e, e * 2 > 5)',
    ),
    fc
      .tuple(
        fc.constantFrom('exists', 'all', 'exists_one'),
        fc.constantFrom(
          's == "role_email"',
          's.contains("e")',
          '1 / size(s) == 0',
          '1 / (size(s) - 10) == 0',
        ),
      )
      .map(([name, test]) => `signals.${name}(s, ${test})`),
  );
  if (depth === 0) return simple;
  const inner = condition(depth - 1);
  return fc.oneof(
    simple,
    fc.tuple(inner, fc.constantFrom('&&', '||'), inner).map((parts) => `(${parts.join(' ')})`),
    inner.map((each) => `!(${each})`),
    fc.tuple(inner, inner, inner).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
  );
}
