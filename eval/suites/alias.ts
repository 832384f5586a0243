import { aliasCheck } from '../../packages/service/src/checks/alias/alias-check.ts';
import { addressOf, checkInput, inspect } from '../check-input.ts';
import { type Judgement, type Miss, type Score, scoreOf, share } from '../figures.ts';
import { aliasPeers } from '../peers.ts';
import { OURS, readCorpus, type Suite } from '../suite.ts';

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
    const scores = [await ours(corpus)];
    // Peers do not look at mail hosts, so these entries would be unfair to them.
    const offline = corpus.filter(({ mx }) => mx === undefined);
    for (const { name, judge } of aliasPeers()) scores.push(await scorePeer(name, offline, judge));
    return { entries: corpus.length, scores };
  },
};

async function ours(corpus: readonly Entry[]): Promise<Score> {
  const found = await Promise.all(corpus.map(async (entry) => ({ entry, ...(await judge(entry)) })));
  const judgements = found.map(({ entry, failed }) => judgement(entry, failed));
  const wrong: Miss[] = found.flatMap(({ entry, canonical, kind, family }) => {
    const faults: Miss[] = [];
    const miss = (what: string) => faults.push({ entry: entry.address, what: `${what}: ${entry.why}` });
    if (canonical !== entry.canonical) miss(`canonical ${canonical}, not ${entry.canonical}`);
    if (kind !== entry.kind) miss(`kind ${kind}, not ${entry.kind}`);
    if (family !== entry.family) miss(`family ${family}, not ${entry.family}`);
    return faults;
  });
  const keyed = new Map(found.map(({ entry, canonical }) => [entry.address, canonical]));
  const score = scoreOf(OURS, judgements, {
    canonical: share(found, ({ entry, canonical }) => canonical === entry.canonical),
    kind: share(found, ({ entry, kind }) => kind === entry.kind),
    ...(await inboxFigures(corpus, async (entry, address) =>
      address === entry.address ? keyed.get(address) : (await judge({ ...entry, address })).canonical,
    )),
  });
  return { ...score, misses: [...score.misses, ...wrong] };
}

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

/** A peer only rewrites addresses. An address that it changes counts as found. */
async function scorePeer(
  name: string,
  corpus: readonly Entry[],
  rewrite: (email: string) => string | undefined,
): Promise<Score> {
  const judgements = corpus.map((entry) => judgement(entry, rewrite(entry.address) !== entry.address));
  return scoreOf(name, judgements, await inboxFigures(corpus, async (_, address) => rewrite(address)));
}

function judgement(entry: Entry, found: boolean): Judgement {
  return { entry: entry.address, expected: !entry.pass, found, why: entry.why };
}

/**
 * Contestants may prefer different spellings. But an address and its inbox must get the same one (`sameInbox`), and two
 * people’s addresses must get different ones (`apart`).
 */
async function inboxFigures(
  corpus: readonly Entry[],
  keyOf: (entry: Entry, address: string) => Promise<string | undefined>,
) {
  const together: boolean[] = [];
  const apart: boolean[] = [];
  for (const entry of corpus) {
    const key = await keyOf(entry, entry.address);
    if (entry.canonical !== entry.address) together.push(key === (await keyOf(entry, entry.canonical)));
    if (entry.apart !== undefined) apart.push(key !== (await keyOf(entry, entry.apart)));
  }
  return { sameInbox: share(together, Boolean), apart: share(apart, Boolean) };
}
