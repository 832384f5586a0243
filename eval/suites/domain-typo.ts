import { suggestDomain } from '../../packages/service/src/checks/mx/suggest-domain.ts';
import { share } from '../figures.ts';
import { readCorpus, type Suite } from '../suite.ts';

interface Entry {
  readonly domain: string;
  /** The well-known domain that was meant, or `null` for a real domain that must not be corrected. */
  readonly suggestion: string | null;
  readonly why: string;
}

/** Misspelt domains among real ones that look like them. A suggestion counts as found only when it is the right one. */
export const domainTypoSuite: Suite = {
  name: 'domainTypo',
  run: async () => {
    const corpus = await readCorpus<Entry>('domain-typo');
    const judged = corpus.map((entry) => ({ entry, suggested: suggestDomain(entry.domain) ?? null }));
    const isRight = ({ entry, suggested }: (typeof judged)[number]) => suggested === entry.suggestion;
    const isReal = ({ entry }: (typeof judged)[number]) => entry.suggestion === null;
    return {
      entries: corpus.length,
      figures: {
        recall: share(judged, isRight, (one) => !isReal(one)),
        spared: share(judged, isRight, isReal),
      },
      misses: judged
        .filter((one) => !isRight(one))
        .map(({ entry, suggested }) => ({
          entry: entry.domain,
          what: `${suggested ?? 'nothing'} suggested, not ${entry.suggestion ?? 'nothing'}: ${entry.why}`,
        })),
    };
  },
};
