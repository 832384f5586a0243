import { CHECK_NAMES, type CheckName, type CheckResult, type Recommendation } from '@postern/contract';
import { type AskMailRoute, createCheckInput, needDns } from '../checks/check-input.ts';
import { type Checks, type RunOptions, runChecks } from '../checks/run-checks.ts';
import { checkResults } from '../decision/check-results.ts';
import { decide } from '../decision/decide.ts';
import { messageLanguage } from '../decision/message-text.ts';
import { ownAnswer } from '../decision/own-decision.ts';
import type { IpAddress } from '../model/ip-address.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { ProjectPolicy } from '../model/project.ts';
import { gatherFacts } from '../record/gather-facts.ts';
import { judgeOwn, type OwnParts, type OwnTerms } from '../record/judge-own.ts';
import { loggedDomain } from '../record/mask-address.ts';

export interface CheckAddressParts extends OwnParts {
  readonly checks: Checks;
  readonly mailRoute: AskMailRoute;
  readonly runOptions: RunOptions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The project’s rules, and where the request would come from. */
export interface CheckAddressTerms extends OwnTerms {
  readonly policy: ProjectPolicy;
  readonly ip: IpAddress | undefined;
  readonly userAgent: string | undefined;
}

export type AddressReport =
  | { readonly address: string; readonly valid: false; readonly error: string }
  | {
      readonly address: string;
      readonly valid: true;
      readonly recommendation: Recommendation;
      readonly message: string | null;
      readonly signals: readonly string[];
      /** The rule that decides instead of the checks. */
      readonly rule: { readonly id: string; readonly name: string } | null;
      readonly checks: Partial<Record<CheckName, CheckResult>>;
    };

/** The `historyState` of somebody who was never seen. */
const NO_HISTORY = 0;

/** Runs the checks on one address without a caller. Nothing is counted or kept, and no history is read. */
export async function checkAddress(
  parts: CheckAddressParts,
  typed: string,
  terms: CheckAddressTerms,
): Promise<AddressReport> {
  const address = parseEmailAddress(typed.trim());
  if (address === undefined) return { address: typed, valid: false, error: 'Invalid email format' };
  const { policy, ip, userAgent } = terms;
  const names = CHECK_NAMES.filter((name) => policy.actions[name] !== undefined);
  const facts = { address, ip, userAgent, project: { policy }, now: parts.now() };
  const input = createCheckInput(facts, needDns(parts.checks, names) ? parts.mailRoute : undefined);
  const runs = await runChecks(parts.checks, names, input, parts.runOptions);
  const inbox = await input.inbox();
  const own = judgeOwn(parts, terms, {
    input,
    inbox,
    keyType: 'server',
    domain: await loggedDomain(address, input.mailRoute),
    inboxHash: parts.keyedHash('inbox', inbox.canonical),
    deviceHash: undefined,
    facts: gatherFacts(parts.checks, runs, input, inbox),
    added: [],
    hasDevice: false,
  });
  const answer = ownAnswer(own, NO_HISTORY);
  const { language: _, ...decision } = decide(
    runs,
    policy.actions,
    policy,
    messageLanguage(policy, 'en'),
    answer,
  );
  return {
    address: typed,
    valid: true,
    ...decision,
    rule: answer.rule === undefined ? null : { id: answer.rule.id, name: answer.rule.name },
    checks: checkResults(runs),
  };
}
