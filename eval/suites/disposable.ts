import { createDisposableCheck } from '../../packages/service/src/checks/disposable/disposable-check.ts';
import { loadDomainList } from '../../packages/service/src/lookup/domain-list.ts';
import { addressOf, checkInput, compiledData, fails } from '../check-input.ts';
import { scoreOf, share } from '../figures.ts';
import { readCorpus, type Suite } from '../suite.ts';

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
    const corpus = await readCorpus<Entry>('disposable');
    const list = loadDomainList(await compiledData('domains.bin'));
    const check = createDisposableCheck({ domainList: () => list });
    const judged = await Promise.all(
      corpus.map(async (entry) => {
        const input = checkInput(addressOf(`jane@${entry.domain}`), { mailHosts: entry.mx });
        return { entry, found: await fails(check, input) };
      }),
    );
    const judgements = judged.map(({ entry: { domain, label, why }, found }) => ({
      entry: domain,
      expected: label === 'disposable',
      found,
      why: `${label}, ${why}`,
    }));
    const spared = (label: Entry['label']) =>
      share(
        judged,
        ({ found }) => !found,
        ({ entry }) => entry.label === label,
      );
    const [legitSpared, relaysSpared, typosSpared] = [spared('legit'), spared('relay'), spared('typo')];
    const more = { legitSpared, relaysSpared, typosSpared };
    return { entries: corpus.length, ...scoreOf(judgements, more) };
  },
};
