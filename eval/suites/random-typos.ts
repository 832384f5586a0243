import {
  MAIL_BRANDS,
  type MailBrand,
  suggestDomain,
} from '../../packages/service/src/checks/mx/suggest-domain.ts';
import { readWords } from '../../packages/service/src/lists/read-list.ts';
import { scoreOf, share } from '../figures.ts';
import { createRandom } from '../random.ts';
import type { Suite } from '../suite.ts';

const SLIPS_EACH = 30;
const REAL_LISTS = ['domains/institutions.txt', 'domains/brands.txt', 'domains/mail-providers.txt'];

/** A shorter name is one slip away from so many others that most of its slips are other real domains. */
const LONG_FROM = 5;

/**
 * One slip made by chance in the name or the suffix of each domain that the check knows. Unlike the corpus
 * `domain-typo`, the entries were not chosen. The others are real domains, which must not be corrected.
 */
export const randomTyposSuite: Suite = {
  name: 'randomTypos',
  run: async () => {
    const slips = madeSlips();
    const judged = slips.map((slip) => ({ ...slip, right: suggestDomain(slip.typed) === slip.meant }));
    const real = REAL_LISTS.flatMap(readWords);
    const judgements = [
      ...judged.map(({ typed, meant, right }) => ({
        entry: typed,
        expected: true,
        found: right,
        why: meant,
      })),
      ...real.map((domain) => {
        const suggestion = suggestDomain(domain);
        return { entry: domain, expected: false, found: suggestion !== undefined, why: `${suggestion}` };
      }),
    ];
    const ofBrands = (wanted: (brand: MailBrand) => boolean) =>
      share(
        judged,
        ({ right }) => right,
        ({ brand }) => wanted(brand),
      );
    const more = {
      giants: ofBrands(({ kind }) => kind === 'giant'),
      longNames: ofBrands(({ name }) => name.length >= LONG_FROM),
      shortNames: ofBrands(({ name }) => name.length < LONG_FROM),
    };
    return { entries: judgements.length, ...scoreOf(judgements, more) };
  },
};

interface Slip {
  readonly typed: string;
  readonly meant: string;
  readonly brand: MailBrand;
}

/** The same ones in every run. A slip that makes another domain of the list is left out, because it is no mistake. */
function madeSlips(): Slip[] {
  const random = createRandom(3);
  const known = new Set(MAIL_BRANDS.flatMap(({ name, suffixes }) => suffixes.map((end) => `${name}.${end}`)));
  const slips = new Map<string, Slip>();
  for (const brand of MAIL_BRANDS) {
    const meant = `${brand.name}.${brand.suffixes[0]}`;
    for (let at = 0; at < SLIPS_EACH; at += 1) {
      const typed = slip(meant, random);
      if (!known.has(typed) && isDomain(typed)) slips.set(typed, { typed, meant, brand });
    }
  }
  return [...slips.values()];
}

/** Anything else is refused as malformed. */
const isDomain = (typed: string): boolean =>
  typed.includes('.') && typed.split('.').every((label) => /^[a-z0-9](?:.*[a-z0-9])?$/.test(label));

const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Two letters swapped, one left out, one typed twice, or a neighbouring key instead of it or with it. */
function slip(domain: string, random: () => number): string {
  const at = Math.floor(random() * domain.length);
  const [before, letter, after] = [domain.slice(0, at), domain.charAt(at), domain.slice(at + 1)];
  const neighbours = neighboursOf(letter);
  const neighbour = neighbours[Math.floor(random() * neighbours.length)] ?? letter;
  const made = [
    before + after.charAt(0) + letter + after.slice(1),
    before + after,
    before + letter + letter + after,
    before + neighbour + after,
    before + neighbour + letter + after,
  ];
  return made[Math.floor(random() * made.length)] ?? domain;
}

function neighboursOf(letter: string): string[] {
  return KEY_ROWS.flatMap((row) => {
    const at = row.indexOf(letter);
    return at === -1 ? [] : [row.charAt(at - 1), row.charAt(at + 1)].filter((key) => key !== '');
  });
}
