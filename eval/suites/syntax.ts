import { syntaxCheck } from '../../packages/service/src/checks/syntax/syntax-check.ts';
import { parseEmailAddress } from '../../packages/service/src/model/parse-email-address.ts';
import { checkInput, fails } from '../check-input.ts';
import { scoreOf, share } from '../figures.ts';
import { readCorpus, type Suite } from '../suite.ts';

type Label = 'usable' | 'unusable' | 'invalid';

interface Entry {
  readonly address: string;
  readonly label: Label;
  readonly why: string;
}

/** Addresses that no person signs up with, among usable ones. */
export const syntaxSuite: Suite = {
  name: 'syntax',
  run: async () => {
    const corpus = await readCorpus<Entry>('syntax');
    const judged = await Promise.all(
      corpus.map(async (entry) => ({ entry, verdict: await verdictOn(entry.address) })),
    );
    const of = (wanted: Label, isRight: (verdict: Label) => boolean) =>
      share(
        judged,
        ({ verdict }) => isRight(verdict),
        ({ entry }) => entry.label === wanted,
      );
    const judgements = judged.map(({ entry: { address, label, why }, verdict }) => ({
      entry: JSON.stringify(address),
      expected: label !== 'usable',
      found: verdict !== 'usable',
      why: `${label}, ${why}`,
    }));
    const score = scoreOf(judgements, {
      invalidRefused: of('invalid', (verdict) => verdict === 'invalid'),
      unusableFound: of('unusable', (verdict) => verdict !== 'usable'),
      unusableNotRefused: of('unusable', (verdict) => verdict !== 'invalid'),
    });
    // The contract: 400 if it is not an address, 200 with a failed check if no person would use it.
    const acrossTheLine = judged
      .filter(({ entry: { label }, verdict }) => ![label, verdict].includes('usable') && verdict !== label)
      .map(({ entry: { address, label, why }, verdict }) => ({
        entry: JSON.stringify(address),
        what: `called ${verdict}, not ${label}: ${why}`,
      }));
    return { ...score, entries: corpus.length, misses: [...score.misses, ...acrossTheLine] };
  },
};

async function verdictOn(address: string): Promise<Label> {
  const parsed = parseEmailAddress(address);
  if (parsed === undefined) return 'invalid';
  return (await fails(syntaxCheck, checkInput(parsed))) ? 'unusable' : 'usable';
}
