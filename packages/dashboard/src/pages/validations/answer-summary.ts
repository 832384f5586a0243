import { CHECK_NAMES, type CheckName, isPolicySignal, resultKindOf, SIGNALS } from '@postern/contract';
import type { ValidationDetail } from '@postern/contract/dashboard';
import { CHECKS } from '../../components/check-names.ts';

const ANSWERS = { allow: 'allowed', flag: 'flagged', block: 'blocked' } as const;

/** What the kinds of entries on a project’s lists are about. */
export const LISTED: Readonly<Record<string, string>> = {
  address: 'its address',
  person: 'its person',
  device: 'its device',
  ip: 'its IP address',
  range: 'its IP address',
  domain: 'its domain',
  asn: 'its network’s operator',
  country: 'its country',
};

/**
 * What decided, in one sentence: “This sign-up was blocked because Disposable failed.” In the order of the service: an
 * entry of the project’s lists, the first rule, the failed checks, and then what the policy flags besides.
 */
export function answerSummary(detail: ValidationDetail, nameOfRule: (id: string) => string): string {
  const { recommendation, failed, actions, lists, rules } = detail;
  const answer = `This sign-up was ${ANSWERS[recommendation]}`;
  const [listing] = lists;
  if (listing !== undefined) return `${answer} because ${listingText(listing)}.`;
  const [rule] = rules;
  if (rule !== undefined) return `${answer} because the rule “${nameOfRule(rule)}” matched.`;
  if (recommendation === 'allow') {
    if (failed.length === 0) return `${answer}: no check found a problem.`;
    return `${answer}: the policy allows what failed (${titles(failed)}).`;
  }
  const decisive = failed.filter((name) => actions[name] === recommendation);
  if (decisive.length > 0) return `${answer} because ${titles(decisive)} failed.`;
  return `${answer} because ${flaggedText(detail)}.`;
}

/** `block:domain` in words. */
function listingText(listing: string): string {
  const [list = '', kind = ''] = listing.split(':');
  return `${LISTED[kind] ?? kind} is on the project’s ${list} list`;
}

/** The log does not keep which signals the policy flagged, so all that it can flag are named. */
function flaggedText({ signals, checks, actions }: ValidationDetail): string {
  const counts = (check: CheckName) => actions[check] !== undefined;
  const flagged = signals.filter((signal) => isPolicySignal(signal) && counts(SIGNALS[signal].check));
  const unknown = CHECK_NAMES.filter((name) => {
    const result = checks[name];
    return (name === 'mx' || name === 'ip') && counts(name) && result && resultKindOf(result) === 'unknown';
  });
  const [only, ...others] = [
    ...flagged.map((signal) => `the signal ${signal}`),
    ...unknown.map((name) => `${CHECKS[name].title} without a result`),
  ];
  if (only === undefined) return 'the policy flags such sign-ups';
  return others.length === 0
    ? `the policy flags ${only}`
    : `the policy flags one of these: ${[only, ...others].join(', ')}`;
}

const titles = (names: readonly CheckName[]) => names.map((name) => CHECKS[name].title).join(', ');
