import { aliasCheck } from '../../packages/service/src/checks/alias/alias-check.ts';
import { addressOf, checkInput, inspect } from '../check-input.ts';
import { type Miss, scoreOf, share } from '../figures.ts';
import { readCorpus, type Suite } from '../suite.ts';

interface Entry {
  readonly address: string;
  readonly canonical: string;
  readonly kind: string;
  readonly pass: boolean;
  readonly why: string;
  /** The weaker guess, if there is one. */
  readonly family?: string;
  /** An address that looks like a variant of this one, but belongs to another person. */
  readonly apart?: string;
  /** The mail hosts of the domain, the preferred one first. */
  readonly mx?: readonly string[];
}

/** Variants that fail, and the inbox behind each address. */
export const aliasSuite: Suite = {
  name: 'alias',
  run: async () => {
    const corpus = await readCorpus<Entry>('alias');
    const found = await Promise.all(corpus.map(async (entry) => ({ entry, ...(await judge(entry)) })));
    const judgements = found.map(({ entry: { address, pass, why }, failed }) => ({
      entry: address,
      expected: !pass,
      found: failed,
      why,
    }));
    const wrong: Miss[] = found.flatMap(({ entry, ...answer }) =>
      (['canonical', 'kind', 'family'] as const)
        .filter((field) => answer[field] !== entry[field])
        .map((field) => ({
          entry: entry.address,
          what: `${field} ${answer[field]}, not ${entry[field]}: ${entry.why}`,
        })),
    );
    const score = scoreOf(judgements, {
      canonical: share(found, ({ entry, canonical }) => canonical === entry.canonical),
      kind: share(found, ({ entry, kind }) => kind === entry.kind),
      ...(await inboxFigures(found)),
    });
    return { ...score, entries: corpus.length, misses: [...score.misses, ...wrong] };
  },
};

async function judge(entry: Entry) {
  const input = checkInput(addressOf(entry.address), { mailHosts: entry.mx });
  const { result, metadata } = await inspect(aliasCheck, input);
  return {
    failed: result === 'failed',
    canonical: String(metadata?.canonical),
    kind: String(metadata?.kind),
    family: metadata?.family as string | undefined,
  };
}

/** An address and its inbox must get one spelling (`sameInbox`), and two people’s addresses must get two (`apart`). */
async function inboxFigures(found: readonly { readonly entry: Entry; readonly canonical: string }[]) {
  const together: boolean[] = [];
  const apart: boolean[] = [];
  for (const { entry, canonical } of found) {
    const canonicalOf = async (address: string) => (await judge({ ...entry, address })).canonical;
    if (entry.canonical !== entry.address) together.push(canonical === (await canonicalOf(entry.canonical)));
    if (entry.apart !== undefined) apart.push(canonical !== (await canonicalOf(entry.apart)));
  }
  return { sameInbox: share(together, Boolean), apart: share(apart, Boolean) };
}
