import { ACTIONS, type CheckActions, type CheckName } from '@postern/contract';
import type { CheckRuns, Checks } from '../checks/run-checks.ts';
import { type FlagPolicy, recommend } from '../decision/decide.ts';
import { NOTHING_OWN, type OwnDecision, withOwnDecision } from '../decision/own-decision.ts';
import {
  type DeviceHistory,
  HISTORY_FACTS,
  HISTORY_STATES,
  type History,
  type HistoryFact,
  historyState,
} from '../model/history.ts';
import type { HistoryEffect, LogRecord } from '../store/store.ts';

/** Placeholder for `previousSignups`. The store replaces it with the real number in signals. */
const ANY_COUNT = 987_654_321;

const NEW_DEVICE: DeviceHistory = {
  previousSignups: 0,
  otherAddresses: 0,
  people: 0,
  confirmedPeople: 0,
  blockedAttempts: 0,
  networks: 0,
  overThreshold: false,
  flagsOnly: false,
  common: false,
  firstSeen: null,
  lastSeen: null,
};

/** For each fact, a history that makes it true and as few other facts as possible. */
const EXAMPLES: Readonly<Record<HistoryFact, History>> = {
  inboxReused: { device: null, inboxReused: true },
  deviceReused: {
    device: { ...NEW_DEVICE, previousSignups: 1, otherAddresses: 1 },
    inboxReused: false,
  },
  deviceSeenTwice: {
    device: { ...NEW_DEVICE, previousSignups: ANY_COUNT, otherAddresses: 1 },
    inboxReused: false,
  },
  deviceOverThreshold: {
    device: { ...NEW_DEVICE, previousSignups: 1, otherAddresses: 1, overThreshold: true, flagsOnly: true },
    inboxReused: false,
  },
  deviceMayBlock: {
    device: { ...NEW_DEVICE, previousSignups: 1, otherAddresses: 1, overThreshold: true },
    inboxReused: false,
  },
};

const FACTS = HISTORY_FACTS.map((fact) => ({
  history: EXAMPLES[fact],
  state: historyState(EXAMPLES[fact]),
  needsDevice: fact !== 'inboxReused',
}));

export interface RecalledEffect extends HistoryEffect {
  /** The checks that fail if the fact is true, and whose action the policy decides alone: it may be `block`. */
  readonly mayBlock: readonly CheckName[];
}

const NO_EFFECT: RecalledEffect = { failed: [], signals: [], mayBlock: [] };

/**
 * The recommendation for every possible history, one digit each. The store picks the one that applies. What the
 * project’s lists and rules say comes before the checks.
 */
export function historyRecommendations(
  runs: CheckRuns,
  actions: CheckActions,
  effects: readonly RecalledEffect[],
  policy?: FlagPolicy,
  own: OwnDecision = NOTHING_OWN,
): LogRecord['recommendations'] {
  const byChecks = recommendationDigits(
    ACTIONS.indexOf(recommend(runs, actions, policy)),
    effects.map((effect) => strengthOf(effect, actions)),
  );
  return withOwnDecision(byChecks, own);
}

/** Normally there are far fewer combinations of findings. The limit only bounds the memory. */
const MAX_CACHED_EFFECTS = 1_000;
const effectsCache = new WeakMap<Checks, Map<string, readonly RecalledEffect[]>>();

/**
 * The effect of each of `HISTORY_FACTS`. It depends only on the findings of the checks that have a `recall`. Nearly all
 * requests have one of a few combinations of findings, so the effects are cached per combination.
 */
export function historyEffects(
  checks: Checks,
  runs: CheckRuns,
  hasDevice: boolean,
): readonly RecalledEffect[] {
  let cached = effectsCache.get(checks);
  if (cached === undefined) {
    cached = new Map();
    effectsCache.set(checks, cached);
  }
  let combination = hasDevice ? 'device' : '';
  for (const { check, finding } of runs) {
    if (checks[check].recall === undefined) continue;
    combination += ` ${check} ${finding.result}`;
    if (finding.signals !== undefined) combination += ` ${finding.signals.join(' ')}`;
  }
  let effects = cached.get(combination);
  if (effects === undefined) {
    effects = findEffects(checks, runs, hasDevice);
    if (cached.size < MAX_CACHED_EFFECTS) cached.set(combination, effects);
  }
  return effects;
}

function findEffects(checks: Checks, runs: CheckRuns, hasDevice: boolean): RecalledEffect[] {
  const effects: RecalledEffect[] = [];
  for (const { history, state, needsDevice } of FACTS) {
    const earlier = effects.filter((_, fact) => (state >> fact) & 1);
    effects.push(needsDevice && !hasDevice ? NO_EFFECT : effectOf(checks, runs, history, earlier));
  }
  return effects;
}

/** The failures and signals that this history adds to those of the request and of the facts applied so far. */
function effectOf(
  checks: Checks,
  runs: CheckRuns,
  history: History,
  earlier: readonly HistoryEffect[],
): RecalledEffect {
  const failed: CheckName[] = [];
  const signals: string[] = [];
  const mayBlock: CheckName[] = [];
  for (const { check, finding } of runs) {
    const recalled = checks[check].recall?.(finding, history);
    if (recalled === undefined || recalled === finding) continue;
    if (recalled.result === 'failed' && finding.result !== 'failed') {
      failed.push(check);
      if (recalled.atMost === undefined) mayBlock.push(check);
    }
    for (const signal of recalled.signals ?? []) {
      if (!finding.signals?.includes(signal)) signals.push(signal.replace(`${ANY_COUNT}`, '<N>'));
    }
  }
  if (failed.length === 0 && signals.length === 0) return NO_EFFECT;
  return {
    failed: failed.filter((check) => !earlier.some((effect) => effect.failed.includes(check))),
    signals: signals.filter((signal) => !earlier.some((effect) => effect.signals.includes(signal))),
    mayBlock,
  };
}

const FLAG = ACTIONS.indexOf('flag');

/** The strongest action among the checks that the fact fails. */
function strengthOf({ failed, mayBlock }: RecalledEffect, actions: CheckActions): number {
  const strengthOfCheck = (check: CheckName) => ACTIONS.indexOf(actions[check] ?? 'allow');
  let strongest = 0;
  for (const check of failed) strongest = Math.max(strongest, Math.min(FLAG, strengthOfCheck(check)));
  for (const check of mayBlock) strongest = Math.max(strongest, strengthOfCheck(check));
  return strongest;
}

const digitsByStrength = new Map<number, string>();

/** One digit for each state: the strongest action among that of the request itself and those of the state’s facts. */
function recommendationDigits(alone: number, strengths: readonly number[]): string {
  const key = strengths.reduce((sum, strength) => sum * ACTIONS.length + strength, alone);
  let digits = digitsByStrength.get(key);
  if (digits === undefined) {
    digits = '';
    for (let state = 0; state < HISTORY_STATES; state += 1) {
      digits += Math.max(alone, ...strengths.filter((_, fact) => (state >> fact) & 1));
    }
    digitsByStrength.set(key, digits);
  }
  return digits;
}
