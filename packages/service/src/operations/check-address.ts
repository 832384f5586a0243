import {
  CHECK_NAMES,
  type CheckName,
  type CheckResult,
  DEFAULT_EVENT,
  type Recommendation,
} from '@postern/contract';
import { type AskMailRoute, createCheckInput, needDns } from '../checks/check-input.ts';
import { type RunOptions, runChecks } from '../checks/run-checks.ts';
import { checkResults } from '../decision/check-results.ts';
import { answerSignals, messageOf } from '../decision/decide.ts';
import { type JudgingTerms, judge } from '../decision/judge.ts';
import { messageLanguage } from '../decision/message-text.ts';
import type { OwnLists } from '../decision/own-lists.ts';
import type { History } from '../model/history.ts';
import type { IpAddress } from '../model/ip-address.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { prepareRecord, type RecordParts } from '../record/prepare-record.ts';

export interface CheckAddressParts extends RecordParts {
  readonly mailRoute: AskMailRoute;
  readonly runOptions: RunOptions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The project’s rules, and where the request would come from. */
export interface CheckAddressTerms extends JudgingTerms, OwnLists {
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

/** Of a person who was never seen. */
const NO_HISTORY: History = { device: null, inboxReused: false };

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
  const request = {
    requestId: '',
    input,
    keyType: 'server',
    sdkVersion: undefined,
    event: DEFAULT_EVENT,
  } as const;
  const { record } = await prepareRecord(parts, terms, {
    ...request,
    runs,
    actions: policy.actions,
    latencyMs: 0,
  });
  const judgement = judge(record, terms, NO_HISTORY, (name) => parts.keyedHash('inbox', name));
  const rule = terms.rules.find(({ id }) => id === judgement.rule);
  return {
    address: typed,
    valid: true,
    recommendation: judgement.recommendation,
    message: messageOf(judgement, terms, messageLanguage(policy, 'en'), runs)?.text ?? null,
    signals: answerSignals(judgement),
    rule: rule === undefined ? null : { id: rule.id, name: rule.name },
    checks: checkResults(runs),
  };
}
