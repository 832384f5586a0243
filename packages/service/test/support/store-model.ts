import type { Recommendation } from '@postern/contract';
import { MAX_OF_DEVICE } from '@postern/contract/project-fields';
import type { Rule } from '@postern/contract/rules';
import type { History } from '../../src/model/history.ts';
import type { Settlement, Submission, ValidationRecord } from '../../src/store/store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

interface Counted {
  readonly lane: string;
  readonly at: number;
}

interface Seen {
  readonly device: string;
  readonly item: string;
  readonly first: number;
  last: number;
  /** Whether every answer was `block`. */
  blocked: boolean;
  /** Whether a backend confirmed it, and the first network that is known. */
  confirmed: boolean;
  network: string | null;
}

/** `from`: the network whose client key claimed it; `null` once a backend confirmed it. */
interface Spelling {
  readonly spelling: string;
  readonly last: number;
  readonly from: string | null;
}

/** A settlement without what the model does not know: the ID of the log row, and how the decision was reached. */
type ModelSettlement =
  | Exclude<Settlement, { readonly result: 'admitted' }>
  | (Omit<Extract<Settlement, { readonly result: 'admitted' }>, 'validated'> & {
      readonly validated: { readonly history: History; readonly recommendation: Recommendation } | null;
    });

/** In the same form. */
export function asModelled(settlement: Settlement): ModelSettlement {
  if (settlement.result !== 'admitted') return settlement;
  const { validated } = settlement;
  const { history, judgement } = validated ?? {};
  return {
    ...settlement,
    validated:
      history && judgement
        ? { history: withoutCrowds(history), recommendation: judgement.recommendation }
        : null,
  };
}

/** Crowds have tests of their own. */
function withoutCrowds({ device, inboxReused }: History): History {
  return { device, inboxReused };
}

/** The project’s policy, and whether it has the rules of `MODEL_RULES`. */
export interface ModelTerms {
  readonly retentionMs: number;
  readonly threshold: number;
  readonly aliasBlocks: boolean;
  readonly deviceBlocks: boolean;
  readonly hasRules: boolean;
}

/** Rules that look at the history. The first one that matches decides, unless a list does. */
export const MODEL_RULES: readonly Rule[] = [
  { id: 'shadow', name: 'Shadow', when: 'inbox.reused', then: 'block', mode: 'shadow' },
  { id: 'trusted', name: 'Trusted', when: 'inbox.reused && !device.known', then: 'allow', mode: 'live' },
  {
    id: 'twice',
    name: 'Twice',
    when: '"device_reuse" in signals && "device" in failed',
    then: 'block',
    mode: 'live',
  },
];

/**
 * What a store must answer, computed in the simplest way: lists that are searched completely, one request after the
 * other, for a single key and a clock that does not run backwards.
 */
export function storeModel(terms: ModelTerms) {
  const counted: Counted[] = [];
  const quota = new Map<string, number>();
  let inboxes: Seen[] = [];
  const spellings = new Map<string, Spelling[]>();
  /** When an inbox was last seen, and on which day it was new to the project. */
  const joined = new Map<string, { last: number; day: number | null }>();

  /** 3% of those who were new in the last 30 days: all have the same browser. */
  const sameModel = (own: number, now: number) => {
    const since = Math.floor(now / DAY) - 30;
    return Math.floor(0.03 * Math.max(0, newcomers.filter((day) => day > since).length - own));
  };
  const newcomers: number[] = [];
  const join = (inbox: string, now: number, blocked: boolean) => {
    const known = joined.get(inbox);
    const before = known !== undefined && known.last >= now - terms.retentionMs ? known.day : null;
    const isNew = !blocked && before === null;
    if (isNew) newcomers.push(Math.floor(now / DAY));
    joined.set(inbox, { last: now, day: isNew ? Math.floor(now / DAY) : before });
  };

  /** A bucket has the requests of one second and is dropped an hour after the last of them. */
  const leavesAt = ({ lane, at }: Counted) => {
    const second = Math.floor(at / 1_000);
    const bucket = counted.filter((one) => one.lane === lane && Math.floor(one.at / 1_000) === second);
    return Math.max(...bucket.map((one) => one.at)) + HOUR;
  };
  const inHour = (lane: string, now: number) =>
    counted.filter((one) => one.lane === lane && leavesAt(one) > now);

  const rateState = (lane: string, now: number, limit: number) => {
    const current = inHour(lane, now);
    const leaving = current.map(leavesAt).sort((a, b) => a - b);
    const freed = leaving[current.length - limit];
    return {
      limit,
      remaining: Math.max(0, limit - current.length),
      resetAt: current.length === 0 ? Math.floor(now / 1_000) : Math.ceil((leaving.at(-1) ?? 0) / 1_000),
      retryAfter: current.length < limit ? 0 : Math.max(1, Math.ceil(((freed ?? now) - now) / 1_000)),
    };
  };

  const remember = (
    list: Seen[],
    device: string,
    item: string,
    now: number,
    more: Pick<Seen, 'blocked' | 'confirmed' | 'network'>,
  ) => {
    const known = list.find((one) => one.device === device && one.item === item);
    if (known) {
      known.last = now;
      known.blocked &&= more.blocked;
      // What a backend says takes the place of what was claimed before.
      if (more.confirmed && !known.confirmed) known.network = more.network ?? known.network;
      known.confirmed ||= more.confirmed;
      known.network ??= more.network;
      return;
    }
    // One more than is remembered: another one goes, always blocked ones first, then claims, then the oldest.
    const others = list.filter((one) => one.device === device);
    const [dropped] = others.sort(
      (one, other) =>
        Number(other.blocked) - Number(one.blocked) ||
        Number(one.confirmed) - Number(other.confirmed) ||
        one.last - other.last ||
        (one.item < other.item ? -1 : 1),
    );
    if (dropped && others.length === MAX_OF_DEVICE) list.splice(list.indexOf(dropped), 1);
    list.push({ device, item, first: now, last: now, ...more });
  };

  /** One by one from the own network and from nowhere, from each other network one; there claims count for a day. */
  const countPeople = (others: readonly Seen[], own: string | null, now: number) => {
    const current = others.filter(
      ({ confirmed, network, last }) =>
        confirmed || (network !== null && network === own) || last >= now - DAY,
    );
    const single = current.filter(({ network }) => network === null || network === own);
    const elsewhere = current.filter(({ network }) => network !== null && network !== own);
    const networks = new Set([...current.map(({ network }) => network), own].filter((name) => name !== null));
    const counted = single.length + new Set(elsewhere.map(({ network }) => network)).size;
    return networks.size >= 3 ? Math.max(0, counted - sameModel(current.length, now)) : counted;
  };

  /**
   * Claims of client keys count in the network that made them, for everybody for a week, and not at all where the
   * policy blocks. Two spellings are kept, the other one rather confirmed than claimed.
   */
  const seeSpelling = (
    { now, mode }: Submission,
    { inboxHash, spellingHash, networkHash, keyType }: ValidationRecord,
  ) => {
    const known = (spellings.get(inboxHash) ?? []).filter((one) => one.last >= now - terms.retentionMs);
    const others = known.filter((one) => one.spelling !== spellingHash);
    const reused = others.some(
      ({ from, last }) =>
        from === null || (!terms.aliasBlocks && (from === networkHash || last >= now - WEEK)),
    );
    if (mode !== 'live') return reused;
    const own = known.find((one) => one.spelling === spellingHash && one.last >= now - terms.retentionMs);
    const from = keyType === 'client' && own?.from !== null ? (networkHash ?? '') : null;
    const other = others.find((one) => one.from === null) ?? others[0];
    spellings.set(inboxHash, [{ spelling: spellingHash, last: now, from }, ...(other ? [other] : [])]);
    return reused;
  };

  const historyOf = (submission: Submission): History | null => {
    const { validation, now, mode } = submission;
    if (!validation) return null;
    const { deviceHash, networkHash, inboxHash } = validation;
    const current = (one: Seen) => one.last >= now - terms.retentionMs;
    inboxes = inboxes.filter(current);
    const inboxReused = seeSpelling(submission, validation);
    if (deviceHash === null) {
      const history = { device: null, inboxReused };
      if (mode === 'live') join(inboxHash, now, recommendationOf(validation, history) === 'block');
      return history;
    }
    const brought = inboxes.filter((one) => one.device === deviceHash);
    const signedUp = brought.filter((one) => !one.blocked);
    const from = new Set(signedUp.map(({ network }) => network)).add(networkHash);
    from.delete(null);
    const others = signedUp.filter((one) => one.item !== inboxHash);
    const otherAddresses = others.length;
    const people = Math.max(0, countPeople(others, networkHash, now) - validation.mistyped);
    const confirmedPeople = countPeople(
      others.filter(({ confirmed }) => confirmed),
      networkHash,
      now,
    );
    const over = confirmedPeople >= terms.threshold || people >= terms.threshold;
    const device = {
      previousSignups: signedUp.length,
      otherAddresses,
      people,
      confirmedPeople,
      blockedAttempts: brought.length - signedUp.length,
      networks: from.size,
      overThreshold: over,
      flagsOnly: over && terms.deviceBlocks && confirmedPeople < terms.threshold,
      // No browser of the model hides its hardware.
      common: false,
      firstSeen: brought.length === 0 ? null : Math.min(...brought.map((one) => one.first)),
      lastSeen: brought.length === 0 ? null : Math.max(...brought.map((one) => one.last)),
    };
    if (mode === 'live') {
      const blocked = recommendationOf(validation, { device, inboxReused }) === 'block';
      join(inboxHash, now, blocked);
      const confirmed = validation.keyType === 'server';
      remember(inboxes, deviceHash, inboxHash, now, { blocked, confirmed, network: networkHash });
    }
    return { device, inboxReused };
  };

  /** Of lists, then rules, then the checks that history fails. Nothing else fails in these requests. */
  const recommendationOf = ({ listing }: ValidationRecord, { device, inboxReused }: History) => {
    if (listing !== null) return listing.action;
    const over = device?.overThreshold ?? false;
    if (terms.hasRules && inboxReused && device === null) return 'allow';
    if (terms.hasRules && over) return 'block';
    const blocks = (inboxReused && terms.aliasBlocks) || (over && terms.deviceBlocks && !device?.flagsOnly);
    return blocks ? 'block' : inboxReused || over ? 'flag' : 'allow';
  };

  return (submission: Submission): ModelSettlement => {
    const { keyType, mode, now, rateLimit, month, quotaLimit, validation, visitors } = submission;
    const lane = `${keyType} ${mode}`;
    const visitorLanes = visitors.map(({ hash, limit }) => ({ lane: `visitor ${mode} ${hash}`, limit }));
    const state = (rate = rateState(lane, now, rateLimit)) => ({
      rate,
      quota: { limit: quotaLimit, used: quota.get(month) ?? 0 },
    });
    if (submission.countRate) {
      const full = visitorLanes.find((one) => inHour(one.lane, now).length >= one.limit);
      if (full) {
        const rate = rateState(full.lane, now, full.limit);
        return { result: 'rate-limited', by: 'visitor', ...state(rate) };
      }
      if (inHour(lane, now).length >= rateLimit) return { result: 'rate-limited', by: 'project', ...state() };
      counted.push({ lane, at: now });
      for (const visitor of visitorLanes) counted.push({ lane: visitor.lane, at: now });
    }
    if (!validation) return { result: 'admitted', ...state(), validated: null };
    if (mode === 'live') {
      const used = quota.get(month) ?? 0;
      if (used >= quotaLimit) return { result: 'quota-exceeded', ...state() };
      quota.set(month, used + 1);
    }
    const history = historyOf(submission);
    if (history === null) throw new Error('A validation has a history');
    const recommendation = recommendationOf(validation, history);
    return { result: 'admitted', ...state(), validated: { history, recommendation } };
  };
}
