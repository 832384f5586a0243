import type { EvaluatedSignUp } from './sign-up-result.ts';
import type { VerdictRefusal } from './verify-verdict.ts';

/** What a developer can do about a verdict that was not used. */
const WHY: Readonly<Record<VerdictRefusal, string>> = {
  malformed: 'it is not a token; does the form send the hidden field as it is?',
  unsupported: 'it is a token of another kind',
  unknown_key: 'the service does not publish its key; is baseUrl the service that the page asked?',
  bad_signature: 'its signature is wrong, so it was changed',
  wrong_project: 'it is for another project; page and backend need the same projectId',
  wrong_address: 'it is for another address; send the address that was checked',
  not_yet_valid: 'it is from the future; compare the clocks of the two machines',
  expired: 'it is older than ten minutes; the form was open for long',
  test_mode: 'it comes from a test key; set allowTestMode while you test',
  weakened: 'the page asked for fewer checks than the policy has, or a blocking check had no input',
  missing_checks: 'a check in requireChecks did not run, such as device without a fingerprint',
  replayed: 'an earlier form used it; each is good for one form',
  replays_unreachable: 'the replay store failed',
  keys_unreachable: 'the service’s keys could not be fetched in time',
};

/** One line for the log. The address is masked. */
export function describeSignUp(result: EvaluatedSignUp): string {
  const { typed, verdictRefusal, source, requestId, failure, failedCheck } = result;
  const refusal = result.accepted ? result.wouldRefuse : result;
  const parts = [
    `Postern: ${mask(typed)} ${result.accepted ? `accepted (${result.recommendation})` : `refused (${result.reason})`}`,
    source === null ? 'without asking' : `by ${source}`,
    failedCheck !== null && `failed check ${failedCheck}`,
    result.accepted && refusal !== null && `without dryRun refused (${refusal.reason})`,
    verdictRefusal !== null && `verdict not used (${verdictRefusal}): ${WHY[verdictRefusal]}`,
    failure !== null && `service not asked (${failure.label}): ${failure.message}`,
    requestId !== null && `request ${requestId}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

function mask(typed: string): string {
  const at = typed.lastIndexOf('@');
  return at <= 0 ? 'something that is not an address' : `${typed.slice(0, 1)}***${typed.slice(at)}`;
}
