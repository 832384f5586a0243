import { addressOf, checkInput, compiledData, fails } from '../check-input.ts';
import { type Judgement, type Score, scoreOf, share } from '../figures.ts';
import { disposablePeers } from '../peers.ts';
import { OURS, readCorpus, type Suite } from '../suite.ts';

interface Entry {
  readonly domain: string;
  readonly label: 'disposable' | 'legit' | 'relay' | 'typo';
  readonly why: string;
  readonly mx?: readonly string[];
}

/** Throwaway domains among mail providers, relays, ordinary domains and misspellings; bundled data only, no DNS. */
export const disposableSuite: Suite = {
  name: 'disposable',
  run: async () => {
    const { createDisposableCheck } = await import(
      '../../packages/service/src/checks/disposable/disposable-check.ts'
    );
    const { loadDomainList } = await import('../../packages/service/src/lookup/domain-list.ts');
    const corpus = await readCorpus<Entry>('disposable');
    const list = loadDomainList(await compiledData('domains.bin'));
    const check = createDisposableCheck({ domainList: () => list });
    const scores = [
      await score(OURS, corpus, async ({ domain, mx }) =>
        fails(check, checkInput(addressOf(`jane@${domain}`), { mailHosts: mx })),
      ),
    ];
    for (const { name, judge } of disposablePeers()) {
      scores.push(await score(name, corpus, async ({ domain }) => judge(`jane@${domain}`)));
    }
    return { entries: corpus.length, scores };
  },
};

async function score(
  contestant: string,
  corpus: readonly Entry[],
  judge: (entry: Entry) => Promise<boolean>,
): Promise<Score> {
  const judged = await Promise.all(corpus.map(async (entry) => ({ entry, found: await judge(entry) })));
  const judgements = judged.map(
    ({ entry, found }): Judgement => ({
      entry: entry.domain,
      expected: entry.label === 'disposable',
      found,
      why: `${entry.label}, ${entry.why}`,
    }),
  );
  const spared = (label: Entry['label']) =>
    share(
      judged.filter(({ entry }) => entry.label === label),
      ({ found }) => !found,
    );
  return scoreOf(contestant, judgements, {
    legitSpared: spared('legit'),
    relaysSpared: spared('relay'),
    typosSpared: spared('typo'),
  });
}
