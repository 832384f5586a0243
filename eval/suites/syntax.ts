import { parseEmailAddress } from '../../packages/service/src/model/parse-email-address.ts';
import { checkInput, fails } from '../check-input.ts';
import { type Figure, type Score, scoreOf, share } from '../figures.ts';
import { syntaxPeers } from '../peers.ts';
import { OURS, readCorpus, type Suite } from '../suite.ts';

type Label = 'usable' | 'unusable' | 'invalid';

interface Entry {
  readonly address: string;
  readonly label: Label;
  readonly why: string;
}

/** A contestant’s answer to an entry. A peer can only accept or refuse. */
interface Judged {
  readonly entry: Entry;
  readonly verdict: Label;
}

/** Addresses that no person signs up with, among usable ones. */
export const syntaxSuite: Suite = {
  name: 'syntax',
  run: async () => {
    const { syntaxCheck } = await import('../../packages/service/src/checks/syntax/syntax-check.ts');
    const corpus = await readCorpus<Entry>('syntax');
    const ours = async ({ address }: Entry): Promise<Label> => {
      const parsed = parseEmailAddress(address);
      if (parsed === undefined) return 'invalid';
      return (await fails(syntaxCheck, checkInput(parsed))) ? 'unusable' : 'usable';
    };
    const scores = [score(OURS, await judgeAll(corpus, ours))];
    for (const { name, judge } of syntaxPeers()) {
      const verdict = async ({ address }: Entry) => ((await judge(address)) ? 'usable' : 'invalid');
      scores.push(score(name, await judgeAll(corpus, verdict)));
    }
    return { entries: corpus.length, scores };
  },
};

async function judgeAll(
  corpus: readonly Entry[],
  judge: (entry: Entry) => Promise<Label>,
): Promise<readonly Judged[]> {
  return await Promise.all(corpus.map(async (entry) => ({ entry, verdict: await judge(entry) })));
}

function score(contestant: string, judged: readonly Judged[]): Score {
  const of = (label: Label, isRight: (verdict: Label) => boolean): Figure =>
    share(
      judged.filter(({ entry }) => entry.label === label),
      ({ verdict }) => isRight(verdict),
    );
  const judgements = judged.map(({ entry, verdict }) => ({
    entry: JSON.stringify(entry.address),
    expected: entry.label !== 'usable',
    found: verdict !== 'usable',
    why: `${entry.label}, ${entry.why}`,
  }));
  const figures = {
    invalidRefused: of('invalid', (verdict) => verdict === 'invalid'),
    unusableFound: of('unusable', (verdict) => verdict !== 'usable'),
  };
  const result = scoreOf(contestant, judgements, figures);
  if (contestant !== OURS) return result;
  // The contract: 400 if it is not an address, 200 with a failed check if no person would use it.
  const acrossTheLine = judged
    .filter(
      ({ entry, verdict }) => entry.label !== 'usable' && verdict !== 'usable' && verdict !== entry.label,
    )
    .map(({ entry, verdict }) => ({
      entry: JSON.stringify(entry.address),
      what: `called ${verdict}, not ${entry.label}: ${entry.why}`,
    }));
  return {
    ...result,
    figures: {
      ...result.figures,
      unusableNotRefused: of('unusable', (verdict) => verdict !== 'invalid'),
    },
    misses: [...result.misses, ...acrossTheLine],
  };
}
