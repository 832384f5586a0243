import { roleEmailCheck } from '../../packages/service/src/checks/role-email/role-email-check.ts';
import { addressOf, checkInput, fails } from '../check-input.ts';
import { scoreOf } from '../figures.ts';
import { readCorpus, type Suite } from '../suite.ts';

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
    const corpus = await readCorpus<Entry>('role-email');
    const judgements = await Promise.all(
      corpus.map(async (entry) => {
        const email = entry.address ?? `${entry.local}@example.com`;
        const expected = entry.role !== false && entry.role !== null;
        const found = await fails(roleEmailCheck, checkInput(addressOf(email)));
        return { entry: email, expected, found, why: entry.why };
      }),
    );
    return { entries: corpus.length, ...scoreOf(judgements) };
  },
};
