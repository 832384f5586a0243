import type { CheckName } from '@postern/contract';
import type { EmailAddress } from '../model/email-address.ts';
import { findInbox } from '../model/inbox.ts';
import { type MailRoute, NOT_ASKED } from '../model/mail-route.ts';
import type { Project } from '../model/project.ts';
import type { CheckInput } from './check.ts';
import type { Checks } from './run-checks.ts';

/** Asks DNS how mail gets to a domain. Never rejects. */
export type AskMailRoute = (domain: string) => MailRoute | Promise<MailRoute>;

/** What is known about one request. */
export interface RequestFacts
  extends Pick<CheckInput, 'address' | 'now'>,
    Partial<Pick<CheckInput, 'fingerprintHash' | 'ip' | 'userAgent' | 'scriptHint' | 'activity'>> {
  readonly project: Pick<Project, 'policy'>;
}

/**
 * The input of the checks. The API, the playground, `postern check` and the accuracy corpus all build it here. Without
 * `askMailRoute` DNS is not asked.
 */
export function createCheckInput(facts: RequestFacts, askMailRoute: AskMailRoute | undefined): CheckInput {
  const { address, fingerprintHash, ip, userAgent, scriptHint, activity, project, now } = facts;
  const mailRoute = once(() => routeOf(address, askMailRoute));
  return {
    address,
    fingerprintHash,
    ip,
    userAgent,
    scriptHint,
    policy: project.policy,
    mailRoute,
    inbox: once(() => findInbox(address, mailRoute)),
    activity,
    now,
  };
}

/** Whether one of these checks asks DNS. A request without such checks does not wait for DNS. */
export function needDns(checks: Checks, names: readonly CheckName[]): boolean {
  return names.some((name) => checks[name].needsDns);
}

function routeOf(address: EmailAddress, ask: AskMailRoute | undefined): MailRoute | Promise<MailRoute> {
  return ask === undefined || address.literal ? NOT_ASKED : ask(address.asciiDomain);
}

function once<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: work() };
    return result.value;
  };
}
