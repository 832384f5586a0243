import { addressOf, checkInput, fails } from '../check-input.ts';
import { type Judgement, scoreOf } from '../figures.ts';
import { rolePeers } from '../peers.ts';
import { OURS, readCorpus, type Suite } from '../suite.ts';

interface Entry {
  /** A local part, or a whole address where the domain matters. */
  readonly local?: string;
  readonly address?: string;
  readonly role: boolean | string | null;
  readonly why: string;
}

/** Local parts that stand for a function, among people’s names. */
export const roleEmailSuite: Suite = {
  name: 'roleEmail',
  run: async () => {
    const { roleEmailCheck } = await import(
      '../../packages/service/src/checks/role-email/role-email-check.ts'
    );
    const corpus = await readCorpus<Entry>('role-email');
    const judgeAll = async (judge: (email: string) => boolean | Promise<boolean>): Promise<Judgement[]> =>
      await Promise.all(
        corpus.map(async (entry) => {
          const email = entry.address ?? `${entry.local}@example.com`;
          const expected = entry.role !== false && entry.role !== null;
          return { entry: email, expected, found: await judge(email), why: entry.why };
        }),
      );
    const scores = [
      scoreOf(OURS, await judgeAll(async (email) => fails(roleEmailCheck, checkInput(addressOf(email))))),
    ];
    for (const { name, judge } of await rolePeers()) scores.push(scoreOf(name, await judgeAll(judge)));
    return { entries: corpus.length, scores };
  },
};
