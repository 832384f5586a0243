import type { RuleProposalsView, RuleProposalView } from '@postern/contract/dashboard';
import { wilsonInterval } from '../wilson-interval.ts';

/** A set of people by their place in a list, as bits, so that many pairs of conditions are compared quickly. */
class PeopleSet {
  readonly #words: Uint32Array;

  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / 32));
  }

  add(index: number): void {
    this.#words[index >>> 5] = (this.#words[index >>> 5] ?? 0) | (1 << (index & 31));
  }

  and(other: PeopleSet): PeopleSet {
    const both = new PeopleSet(this.#words.length * 32);
    for (let word = 0; word < this.#words.length; word += 1)
      both.#words[word] = (this.#words[word] ?? 0) & (other.#words[word] ?? 0);
    return both;
  }

  count(): number {
    return this.countUpTo(this.#words.length * 32);
  }

  /** Those before this place. */
  countUpTo(end: number): number {
    let count = 0;
    for (let word = 0; word < end >>> 5; word += 1) count += onesIn(this.#words[word] ?? 0);
    const rest = end & 31;
    return rest === 0 ? count : count + onesIn((this.#words[end >>> 5] ?? 0) & ((1 << rest) - 1));
  }

  /** Those from this place on. */
  countFrom(start: number): number {
    return this.count() - this.countUpTo(start);
  }

  /** Equal for equal sets. */
  key(): string {
    return this.#words.join();
  }
}

/** How many bits are set (Warren, “Hacker’s Delight”, section 5-1). */
function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** A person whose outcome is known. */
export interface KnownPerson {
  /** When the person was validated. */
  readonly at: number;
  readonly bad: boolean;
  /** The answer stopped the person already. */
  readonly blocked: boolean;
  /** Conditions that held whenever the person was validated, as expressions of rules. */
  readonly conditions: readonly string[];
}

type Proposal = Omit<RuleProposalView, 'when'>;
type FoundProposals = Omit<RuleProposalsView, 'proposals' | 'partial'> & { readonly proposals: Proposal[] };

/** Proposals are found on this part of the known people, and confirmed on the rest, which is newer. */
const OLDER_PART = 0.7;
/** Fewer bad people, among the older or among the newer ones, prove nothing. */
const LEAST_BAD = 5;
const TIMES_BASE_RATE = 2;
const MAX_GOOD_SHARE = 0.01;
/** Pairs are made of this many conditions, the most promising ones. */
const MAX_PAIRED = 80;
/** How many candidates are confirmed. Each further one makes an accident more likely, and the bound stricter. */
const MAX_CONFIRMED = 10;
/** How likely it is at most that one of all proposals is an accident. */
const RISK = 0.025;

/**
 * Looks for one or two conditions that single out bad people. Candidates come from the older people alone. The newer
 * ones then decide, with a bound that allows for the number of candidates, so that what fits by accident is not shown.
 */
export function findProposals(people: readonly KnownPerson[]): FoundProposals {
  const sorted = [...people].sort((one, other) => one.at - other.at);
  const known = knownOf(sorted, Math.floor(sorted.length * OLDER_PART));
  const newerCount = sorted.length - known.olderCount;
  const newerBad = known.bad.countFrom(known.olderCount);
  const baseRate = newerCount === 0 ? null : newerBad / newerCount;
  const totals = { known: sorted.length, bad: known.bad.count(), good: sorted.length - known.bad.count() };
  if (baseRate === null || newerBad < LEAST_BAD) return { ...totals, baseRate, proposals: [] };
  const candidates = candidatesOf(known);
  const proposals = candidates.flatMap((candidate) => {
    const proposal = confirmed(known, candidate, RISK / candidates.length);
    const singlesOut =
      proposal.newer.bad >= LEAST_BAD &&
      proposal.newer.low > TIMES_BASE_RATE * baseRate &&
      proposal.good < MAX_GOOD_SHARE * totals.good &&
      proposal.badLetIn > 0;
    return singlesOut ? [proposal] : [];
  });
  proposals.sort((one, other) => other.newer.low - one.newer.low || other.bad - one.bad);
  return { ...totals, baseRate, proposals };
}

interface Known {
  /** How many people, from the first on, are the older ones. */
  readonly olderCount: number;
  readonly bad: PeopleSet;
  readonly blocked: PeopleSet;
  readonly byCondition: ReadonlyMap<string, PeopleSet>;
}

function knownOf(people: readonly KnownPerson[], olderCount: number): Known {
  const bad = new PeopleSet(people.length);
  const blocked = new PeopleSet(people.length);
  const byCondition = new Map<string, PeopleSet>();
  for (const [index, person] of people.entries()) {
    if (person.bad) bad.add(index);
    if (person.blocked) blocked.add(index);
    for (const condition of person.conditions) {
      const who = byCondition.get(condition) ?? new PeopleSet(people.length);
      byCondition.set(condition, who);
      who.add(index);
    }
  }
  return { olderCount, bad, blocked, byCondition };
}

interface Candidate {
  readonly conditions: readonly string[];
  readonly who: PeopleSet;
  /** The lower bound of the share of bad people among the older ones. */
  readonly low: number;
}

/** The most promising single conditions and pairs, by the older people alone. */
function candidatesOf(known: Known): Candidate[] {
  const enough = [...known.byCondition]
    .map(([condition, who]) => candidate(known, [condition], who))
    .filter(({ who }) => olderBad(known, who) >= LEAST_BAD)
    .sort((one, other) => other.low - one.low);
  const paired = enough.slice(0, MAX_PAIRED);
  const pairs: Candidate[] = [];
  for (const [index, one] of paired.entries())
    for (const other of paired.slice(index + 1)) {
      const who = one.who.and(other.who);
      if (olderBad(known, who) < LEAST_BAD) continue;
      const both = candidate(known, [...one.conditions, ...other.conditions], who);
      // A second condition that makes nothing more certain only narrows the rule.
      if (both.low > one.low && both.low > other.low) pairs.push(both);
    }
  const olderGood = known.olderCount - known.bad.countUpTo(known.olderCount);
  const olderRate = (known.olderCount - olderGood) / known.olderCount;
  const promising = [...enough, ...pairs].filter(
    ({ who, low }) =>
      low > TIMES_BASE_RATE * olderRate &&
      who.countUpTo(known.olderCount) - olderBad(known, who) < MAX_GOOD_SHARE * olderGood,
  );
  promising.sort((one, other) => other.low - one.low || one.conditions.length - other.conditions.length);
  return different(promising).slice(0, MAX_CONFIRMED);
}

function candidate(known: Known, conditions: readonly string[], who: PeopleSet): Candidate {
  const interval = wilsonInterval(olderBad(known, who), who.countUpTo(known.olderCount));
  return { conditions, who, low: interval?.low ?? 0 };
}

function olderBad(known: Known, who: PeopleSet): number {
  return who.and(known.bad).countUpTo(known.olderCount);
}

/** Of candidates that single out the same people, the first one. */
function different(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ who }) => {
    const key = who.key();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function confirmed(known: Known, { conditions, who }: Candidate, risk: number): Proposal {
  const bad = who.and(known.bad);
  const newer = { people: who.countFrom(known.olderCount), bad: bad.countFrom(known.olderCount) };
  return {
    conditions: [...conditions],
    older: { people: who.countUpTo(known.olderCount), bad: bad.countUpTo(known.olderCount) },
    newer: { ...newer, low: newer.people === 0 ? 0 : exactLowerBound(newer.bad, newer.people, risk) },
    bad: bad.count(),
    badLetIn: bad.count() - bad.and(known.blocked).count(),
    good: who.count() - bad.count(),
  };
}

/**
 * The lower end of the exact confidence interval of a share (Clopper and Pearson, 1934): the share at which as many hits
 * or more have the probability `risk`. Unlike Wilson’s interval it never promises too much, also for two of two.
 */
export function exactLowerBound(hits: number, total: number, risk: number): number {
  if (hits === 0) return 0;
  let [low, high] = [0, hits / total];
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = (low + high) / 2;
    if (atLeast(hits, total, middle) < risk) low = middle;
    else high = middle;
  }
  return low;
}

const BISECTIONS = 40;

/** The probability of this many hits or more. */
function atLeast(hits: number, total: number, share: number): number {
  // The first term by logarithms, because its factors are too large or too small. Each further one from the one before.
  let logTerm = hits * Math.log(share) + (total - hits) * Math.log1p(-share);
  for (let index = 1; index <= hits; index += 1) logTerm += Math.log((total - hits + index) / index);
  let term = Math.exp(logTerm);
  let sum = 0;
  for (let count = hits; count <= total; count += 1) {
    sum += term;
    term *= ((total - count) / (count + 1)) * (share / (1 - share));
  }
  return sum;
}
