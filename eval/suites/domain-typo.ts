import { type Miss, type Score, share } from '../figures.ts';
import { typoPeers } from '../peers.ts';
import { OURS, readCorpus, type Suite } from '../suite.ts';

interface Entry {
  readonly domain: string;
  /** The well-known domain that was meant, or `null` for a real domain that must not be corrected. */
  readonly suggestion: string | null;
  readonly why: string;
}

/** Misspelt domains among real ones that look like them. */
export const domainTypoSuite: Suite = {
  name: 'domainTypo',
  run: async () => {
    const { suggestDomain } = await import('../../packages/service/src/checks/mx/suggest-domain.ts');
    const corpus = await readCorpus<Entry>('domain-typo');
    const scores = [score(OURS, corpus, suggestDomain)];
    for (const { name, judge } of typoPeers()) {
      scores.push(score(name, corpus, (domain) => judge(`jane@${domain}`)));
    }
    return { entries: corpus.length, scores };
  },
};

/** A suggestion counts as found only when it is the right one. */
function score(
  contestant: string,
  corpus: readonly Entry[],
  suggest: (domain: string) => string | undefined,
): Score {
  const judged = corpus.map((entry) => {
    const suggestion = suggest(entry.domain);
    return { entry, suggestion: suggestion === entry.domain ? undefined : suggestion };
  });
  const isRight = ({ entry, suggestion }: (typeof judged)[number]) =>
    (suggestion ?? null) === entry.suggestion;
  const misses: Miss[] = judged
    .filter((one) => !isRight(one))
    .map(({ entry, suggestion }) => ({
      entry: entry.domain,
      what: `${suggestion ?? 'nothing'} suggested, not ${entry.suggestion ?? 'nothing'}: ${entry.why}`,
    }));
  return {
    contestant,
    figures: {
      recall: share(
        judged.filter(({ entry }) => entry.suggestion !== null),
        isRight,
      ),
      spared: share(
        judged.filter(({ entry }) => entry.suggestion === null),
        isRight,
      ),
    },
    misses,
  };
}
