import { ACTIONS, type Recommendation, type Signal } from '@postern/contract';
import { type Rule, ruleSignal } from '@postern/contract/rules';
import { HISTORY_STATES } from '../model/history.ts';
import { type Listing, listingSignal } from './own-lists.ts';
import {
  ALL_STATES,
  decidingRule,
  failingRules,
  matchingRules,
  type RuleMatch,
} from './rules/judge-rules.ts';

/** What the project’s own lists and rules say about a request, before its history is known. */
export interface OwnDecision {
  readonly listing: Listing | undefined;
  readonly matches: readonly RuleMatch[];
}

export const NOTHING_OWN: OwnDecision = { listing: undefined, matches: [] };

/** Lists and rules for one history. */
export interface OwnAnswer {
  /** Absent: the checks decide. */
  readonly recommendation: Recommendation | undefined;
  /** The rule that decides. An entry of a list comes before every rule. */
  readonly rule: Rule | undefined;
  readonly signals: readonly Signal[];
}

const SILENT: OwnAnswer = { recommendation: undefined, rule: undefined, signals: [] };

/** What they say if the history is this `historyState`. */
export function ownAnswer({ listing, matches }: OwnDecision, state: number): OwnAnswer {
  if (listing === undefined && matches.length === 0) return SILENT;
  const rules = matchingRules(matches, state);
  const rule = listing === undefined ? decidingRule(rules) : undefined;
  const live = rules.filter(({ mode }) => mode === 'live').map(({ id }) => ruleSignal(id));
  return {
    recommendation: listing?.action ?? rule?.then,
    rule,
    signals: listing === undefined ? live : [listingSignal(listing), ...live],
  };
}

/** The recommendations of the checks for each `historyState`, one digit each, with what lists and rules change. */
export function withOwnDecision(recommendations: string, own: OwnDecision): string {
  if (own.listing === undefined && own.matches.length === 0) return recommendations;
  let digits = '';
  for (let state = 0; state < HISTORY_STATES; state += 1) {
    const { recommendation } = ownAnswer(own, state);
    digits += recommendation === undefined ? recommendations.charAt(state) : ACTIONS.indexOf(recommendation);
  }
  return digits;
}

/** IDs of the rules that match or fail for each `historyState`, or once if history changes nothing. */
export function matchedRules({ matches }: OwnDecision): {
  readonly live: readonly string[];
  readonly shadow: readonly string[];
  readonly failed: readonly string[];
}[] {
  const isSame = (states: number) => states === 0 || states === ALL_STATES;
  const depends = matches.some(({ states, failures }) => !isSame(states) || !isSame(failures));
  const states = depends ? Array.from({ length: HISTORY_STATES }, (_, state) => state) : [0];
  return states.map((state) => {
    const rules = matchingRules(matches, state);
    const idsOf = (wanted: Rule['mode']) => rules.filter(({ mode }) => mode === wanted).map(({ id }) => id);
    return {
      live: idsOf('live'),
      shadow: idsOf('shadow'),
      failed: failingRules(matches, state).map(({ id }) => id),
    };
  });
}
