import { automationOf, isBrowserUserAgent } from '../../packages/service/src/model/user-agent.ts';
import { scoreOf } from '../figures.ts';
import { readCorpus, type Suite } from '../suite.ts';

interface Entry {
  readonly userAgent: string;
  readonly browser: boolean;
  readonly automated: boolean;
  readonly why: string;
}

/** Browsers, for which a server key is refused, among the libraries of backends. */
export const browserSuite = suiteOf('browser', isBrowserUserAgent);

/** Headless and scripted browsers, which the device check reports as a signal. */
export const automatedSuite = suiteOf('automated', (userAgent) => automationOf(userAgent) !== undefined);

function suiteOf(name: 'browser' | 'automated', judge: (userAgent: string) => boolean): Suite {
  return {
    name,
    run: async () => {
      const corpus = await readCorpus<Entry>('user-agent');
      const judgements = corpus.map((entry) => ({
        entry: entry.userAgent,
        expected: entry[name],
        found: judge(entry.userAgent),
        why: entry.why,
      }));
      return { entries: corpus.length, ...scoreOf(judgements) };
    },
  };
}
