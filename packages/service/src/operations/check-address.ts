import {
  CHECK_NAMES,
  type CheckName,
  type CheckResult,
  DEFAULT_EVENT,
  type Recommendation,
} from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
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
import type { Project } from '../model/project.ts';
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

/** The checks that the policy runs. */
export const checkNamesOf = ({ actions }: Project['policy']) =>
  CHECK_NAMES.filter((name) => actions[name] !== undefined);

/** Runs the project’s checks as for a backend, and says what would be stored and what judges it. Nothing is counted or kept. */
export async function inspect(
  parts: RecordParts & { readonly runOptions: RunOptions },
  terms: JudgingTerms & OwnLists,
  input: CheckInput,
) {
  const { policy } = terms;
  const runs = await runChecks(parts.checks, checkNamesOf(policy), input, parts.runOptions);
  const request = {
    requestId: '',
    input,
    keyType: 'server',
    sdkVersion: undefined,
    event: DEFAULT_EVENT,
  } as const;
  const inspected = { ...request, runs, actions: policy.actions, latencyMs: 0 };
  const { record } = await prepareRecord(parts, terms, inspected);
  return {
    runs,
    record,
    judgeWith: (history: History) => judge(record, terms, history, (name) => parts.keyedHash('inbox', name)),
  };
}

/** Runs the checks on one address without a caller. Nothing is counted or kept, and no history is read. */
export async function checkAddress(
  parts: CheckAddressParts,
  typed: string,
  terms: CheckAddressTerms,
): Promise<AddressReport> {
  const address = parseEmailAddress(typed.trim());
  if (address === undefined) return { address: typed, valid: false, error: 'Invalid email format' };
  const { policy, ip, userAgent } = terms;
  const facts = { address, ip, userAgent, project: { policy }, now: parts.now() };
  const asksDns = needDns(parts.checks, checkNamesOf(policy));
  const input = createCheckInput(facts, asksDns ? parts.mailRoute : undefined);
  const { runs, judgeWith } = await inspect(parts, terms, input);
  const judgement = judgeWith(NO_HISTORY);
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
