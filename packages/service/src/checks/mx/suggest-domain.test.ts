import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAIL_BRANDS, suggestDomain } from './suggest-domain.ts';

test.each([
  ['swapped letters', 'gmial.com', 'gmail.com'],
  ['a letter left out', 'hotmal.com', 'hotmail.com'],
  ['a doubled letter', 'yahooo.com', 'yahoo.com'],
  ['letters two places apart', 'yaooh.com', 'yahoo.com'],
  ['a letter two places off', 'gimal.com', 'gmail.com'],
  ['two slips in a long name', 'hotlamil.com', 'hotmail.com'],
  ['two wrong vowels', 'gmiel.com', 'gmail.com'],
  ['an ending that does not exist', 'gmail.acm', 'gmail.com'],
  ['an ending of wrong keys', 'hotmail.vop', 'hotmail.com'],
  ['a double letter typed once', 'outlok.com', 'outlook.com'],
  ['a neighbouring key', 'gnail.com', 'gmail.com'],
  ['a neighbouring key at the start', 'tahoo.com', 'yahoo.com'],
  ['a neighbouring key as well', 'hotmaiol.com', 'hotmail.com'],
  ['a wrong vowel', 'hotmeil.com', 'hotmail.com'],
  ['a digit for a letter', 'gmai1.com', 'gmail.com'],
  ['letters that look like one', 'grnail.com', 'gmail.com'],
  ['a hyphen', 'g-mail.com', 'gmail.com'],
  ['the suffix', 'gmail.con', 'gmail.com'],
  ['a suffix that exists elsewhere', 'hotmail.cm', 'hotmail.com'],
  ['half a suffix', 'gmail.c', 'gmail.com'],
  ['a country’s suffix', 'yahoo.co.ul', 'yahoo.co.uk'],
  ['a second level', 'hotmail.con.br', 'hotmail.com.br'],
  ['name and suffix', 'gmial.con', 'gmail.com'],
  ['the dot', 'gmailcom', 'gmail.com'],
  ['the place of the dot', 'gmailc.om', 'gmail.com'],
  ['the place of the dot in a plain word', 'charte.rnet', 'charter.net'],
  ['the first letter of a country’s suffix', 'orange.r', 'orange.fr'],
  ['an ending of wrong keys after a plain word', 'charter.nwtq', 'charter.net'],
  ['a dot left out where nobody has a name without it', 'uolcom.br', 'uol.com.br'],
  ['a second level that does not exist', 'optusnet.co.au', 'optusnet.com.au'],
  ['a country one key away', 'seznam.cx', 'seznam.cz'],
  ['a dot too many', 'hot.mail.com', 'hotmail.com'],
  ['the suffix altogether', 'gmail', 'gmail.com'],
  ['a web address', 'www.gmail.com', 'gmail.com'],
  ['a word that the hand knows', 'icould.com', 'icloud.com'],
  ['an access network', 'comcats.net', 'comcast.net'],
])('%s: %s means %s', (_slip, typed, meant) => {
  expect(suggestDomain(typed)).toBe(meant);
});

test.each([
  'mail.com',
  'email.com',
  'ymail.com',
  'gail.com',
  'cloud.com',
  'love.com',
  'ao.com',
  'roger.com',
  'comcast.com',
  'love.con',
  'yahoo.xyz',
  'gmailer.com',
  'gmail.sk',
  'mail.gmail.com',
  'example.com',
  'students.example.ac.uk',
])('%s is nobody’s slip', (domain) => {
  expect(suggestDomain(domain)).toBeUndefined();
});

test('no well-known domain is corrected into another', () => {
  for (const { name, suffixes } of MAIL_BRANDS) {
    for (const suffix of suffixes) expect(suggestDomain(`${name}.${suffix}`)).toBeUndefined();
  }
});

test('names of any length and form do not throw', () => {
  for (const domain of [
    '',
    '.',
    'a',
    `${'a'.repeat(63)}.com`,
    `${'gmail.'.repeat(40)}com`,
    'xn--gmil-6na.com',
    '[127.0.0.1]',
  ]) {
    expect(suggestDomain(domain)).toBeUndefined();
  }
});

test('a suggestion is a well-known domain, other than the one typed, and needs no correction itself', () => {
  const wellKnown = MAIL_BRANDS.flatMap(({ name, suffixes }) =>
    suffixes.map((suffix) => `${name}.${suffix}`),
  );
  const slip = fc.tuple(
    fc.constantFrom('drop', 'add', 'change', 'swap'),
    fc.nat(20),
    fc.constantFrom(...'aeilmotz0-.'),
  );
  const mistyped = fc
    .tuple(fc.constantFrom(...wellKnown), fc.array(slip, { maxLength: 3 }))
    .map(([domain, slips]) => slips.reduce(applySlip, domain));
  fc.assert(
    fc.property(mistyped, (typed) => {
      const suggestion = suggestDomain(typed);
      if (suggestion === undefined) return;
      expect(wellKnown).toContain(suggestion);
      expect(suggestion).not.toBe(typed);
      expect(suggestDomain(suggestion)).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});

function applySlip(word: string, [kind, at, letter]: [string, number, string]): string {
  const index = at % Math.max(1, word.length);
  const [before, here, after] = [word.slice(0, index), word.slice(index, index + 1), word.slice(index + 1)];
  if (kind === 'drop') return before + after;
  if (kind === 'add') return before + letter + here + after;
  if (kind === 'change') return before + letter + after;
  return before + after.slice(0, 1) + here + after.slice(1);
}
