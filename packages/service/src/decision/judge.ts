import type { CheckActions, CheckName, KeyType, Signal } from '@postern/contract';
import type { NamedLists } from '@postern/contract/project-fields';
import { recallChecks } from '../checks/recall-checks.ts';
import type { FoundBy } from '../model/finding.ts';
import type { History } from '../model/history.ts';
import type { Judgement } from '../model/judgement.ts';
import type { Listing } from '../model/list-value.ts';
import type { Project } from '../model/project.ts';
import { signalsOf, strongestReason } from './decide.ts';
import { indexOfList } from './list-index.ts';
import { listingSignal } from './own-lists.ts';
import { decidingRule, judgeRules, NO_RULES } from './rules/judge-rules.ts';
import type { RuleContext } from './rules/rule-context.ts';
import { type LoggedFacts, ruleFacts } from './rules/rule-facts.ts';

/** A request whose checks have run, in the form in which it is counted and logged. */
export interface JudgedRequest {
  readonly found: readonly FoundBy[];
  readonly actions: CheckActions;
  /** The entry of the project’s own lists that covers it. */
  readonly listing: Listing | null;
  readonly inboxHash: string;
  readonly deviceHash: string | null;
  readonly keyType: KeyType;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly log: LoggedFacts['log'];
}

/** What a project decides itself. */
export type JudgingTerms = Pick<Project, 'policy' | 'rules' | 'namedLists'>;

/**
 * Decides a request with the history that it has. An entry of the project’s own lists comes first, then the first live
 * rule that matches, then the policy. Pure. The store calls it in the transaction that reads the history.
 */
export function judge(
  request: JudgedRequest,
  { policy, rules, namedLists }: JudgingTerms,
  history: History,
  hashInbox: (name: string) => string,
): Judgement {
  const { listing, log, inboxHash, deviceHash, keyType, now } = request;
  const found = recallChecks(request.found, history);
  const failed: CheckName[] = [];
  for (const { check, finding } of found) if (finding.result === 'failed') failed.push(check);
  const signals = signalsOf(found);
  const { matching, faulty } =
    rules.length === 0
      ? NO_RULES
      : judgeRules(
          rules,
          ruleFacts({ log, inboxHash, deviceHash, keyType, at: now, signals, failed }, history),
          listsOf(namedLists, hashInbox, now),
          now,
        );
  const rule = listing === null ? decidingRule(matching) : undefined;
  const own = listing?.action ?? rule?.then;
  const { recommendation, check } =
    own === undefined
      ? strongestReason(found, request.actions, policy, signals)
      : { recommendation: own, check: undefined };
  return {
    recommendation,
    check: check ?? null,
    rule: rule?.id ?? null,
    failed,
    signals: withOwn(signals, request),
    rules: idsOf(matching, 'live'),
    shadowRules: idsOf(matching, 'shadow'),
    faultyRules: faulty.map(({ id }) => id),
  };
}

/** The signals of the checks, and what lists and signatures add. Most requests have neither. */
function withOwn(signals: Signal[], { listing, log }: JudgedRequest): Signal[] {
  const { agentOperator, agentVerified } = log.facts;
  if (agentOperator !== '') signals.push(agentVerified ? 'agent_verified' : 'agent_impostor');
  return listing === null ? signals : [...signals, listingSignal(listing)];
}

function idsOf(rules: ReturnType<typeof judgeRules>['matching'], wanted: 'live' | 'shadow'): string[] {
  return rules.filter(({ mode }) => mode === wanted).map(({ id }) => id);
}

/** The project’s named lists as `inList` asks them. A list that does not exist covers nothing. */
export function listsOf(
  lists: NamedLists,
  hashInbox: (name: string) => string,
  now: number,
): RuleContext['inList'] {
  return (name, value) => {
    const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
    return list !== undefined && indexOfList(list).covers(value, now, hashInbox);
  };
}
