import { CHECK_NAMES, type CheckName, type CheckResult, type Recommendation } from '@postern/contract';
import { type AskMailRoute, createCheckInput, needDns } from '../checks/check-input.ts';
import { type Checks, type RunOptions, runChecks } from '../checks/run-checks.ts';
import { checkResults } from '../decision/check-results.ts';
import { decide } from '../decision/decide.ts';
import { messageLanguage } from '../decision/message-text.ts';
import { findListing, type OwnLists } from '../decision/own-lists.ts';
import type { IpAddress } from '../model/ip-address.ts';
import type { LookUpNetwork } from '../model/network-facts.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { ProjectPolicy } from '../model/project.ts';
import type { KeyedHash } from '../record/keyed-hash.ts';

export interface CheckAddressParts {
  readonly checks: Checks;
  readonly mailRoute: AskMailRoute;
  readonly network: LookUpNetwork;
  readonly keyedHash: KeyedHash;
  readonly runOptions: RunOptions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The project’s rules, and where the request would come from. */
export interface CheckAddressTerms extends OwnLists {
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
      readonly checks: Partial<Record<CheckName, CheckResult>>;
    };

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
  const asker = { input, inbox, person: parts.keyedHash('inbox', inbox.canonical), device: undefined };
  const listing = findListing(terms, asker, parts.network);
  const { language: _, ...decision } = decide(
    runs,
    policy.actions,
    policy,
    messageLanguage(policy, 'en'),
    listing,
  );
  return {
    address: typed,
    valid: true,
    ...decision,
    checks: checkResults(runs),
  };
}
