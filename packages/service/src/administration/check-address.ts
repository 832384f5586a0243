import { CHECK_NAMES, type CheckName, type CheckResult, type Recommendation } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import { type Checks, type RunOptions, runChecks } from '../checks/run-checks.ts';
import { checkResults } from '../decision/check-results.ts';
import { decide } from '../decision/decide.ts';
import { findInbox } from '../model/inbox.ts';
import type { IpAddress } from '../model/ip-address.ts';
import type { MailRoute } from '../model/mail-route.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { ListEntry, ProjectPolicy } from '../model/project.ts';

export interface CheckAddressParts {
  readonly checks: Checks;
  readonly mailRoute: (domain: string) => MailRoute | Promise<MailRoute>;
  readonly runOptions: RunOptions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** By whose rules, and seen from where. */
export interface CheckAddressTerms {
  readonly policy: ProjectPolicy;
  readonly allowList: readonly ListEntry[];
  readonly blockList: readonly ListEntry[];
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
      readonly checks: Partial<Record<CheckName, CheckResult>>;
    };

/** The checks on one address, without a caller: nothing is counted, remembered or asked of the memory. */
export async function checkAddress(
  parts: CheckAddressParts,
  typed: string,
  terms: CheckAddressTerms,
): Promise<AddressReport> {
  const address = parseEmailAddress(typed.trim());
  if (address === undefined) return { address: typed, valid: false, error: 'Invalid email format' };
  const mailRoute = once(() => parts.mailRoute(address.asciiDomain));
  const input: CheckInput = {
    ...terms,
    address,
    fingerprintHash: undefined,
    mailRoute,
    inbox: once(() => findInbox(address, mailRoute)),
    now: parts.now(),
  };
  const { actions, messageTone } = terms.policy;
  const names = CHECK_NAMES.filter((name) => actions[name] !== undefined);
  const runs = await runChecks(parts.checks, names, input, parts.runOptions);
  return { address: typed, valid: true, ...decide(runs, actions, messageTone), checks: checkResults(runs) };
}

function once<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: work() };
    return result.value;
  };
}
