import type { EmailAddress } from '../model/email-address.ts';
import type { Finding } from '../model/finding.ts';
import type { History } from '../model/history.ts';
import type { Inbox } from '../model/inbox.ts';
import type { IpAddress } from '../model/ip-address.ts';
import type { MailRoute } from '../model/mail-route.ts';
import type { ProjectPolicy } from '../model/project.ts';
import type { RecentActivity } from '../model/recent-activity.ts';
import type { ScriptHint } from '../model/script-hint.ts';
import { automationOf } from '../model/user-agent.ts';

export type { Finding } from '../model/finding.ts';

/** The input of a check. */
export interface CheckInput {
  readonly address: EmailAddress;
  readonly fingerprintHash: string | undefined;
  readonly ip: IpAddress | undefined;
  readonly userAgent: string | undefined;
  /** Of a page’s request. */
  readonly scriptHint: ScriptHint | undefined;
  readonly policy: ProjectPolicy;
  /**
   * How mail gets to the address’s domain. DNS is asked once per request, when the first check needs it. Never rejects.
   */
  readonly mailRoute: () => MailRoute | Promise<MailRoute>;
  /** The inbox that the address reaches, computed once per request. Never rejects. */
  readonly inbox: () => Inbox | Promise<Inbox>;
  /** What the project saw lately. `undefined` where nothing is counted, as in `postern check`. */
  readonly activity: RecentActivity | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** One check. It does not time itself, catch errors or call another check: the runner does that for all checks. */
export interface Check {
  /** The optional request field that the check needs. Without it the check does not run. */
  readonly needs?: 'fingerprintHash' | 'ip';
  /** Whether `inspect` uses `mailRoute` or `inbox`. DNS is asked only if one of the request’s checks needs it. */
  readonly needsDns: boolean;
  /** What the check finds in the request alone. */
  readonly inspect: (input: CheckInput) => Finding | Promise<Finding>;
  /**
   * What the project’s history adds to the finding. Pure; it never turns a failure into a pass. The store calls it in
   * the transaction that reads the history, without the finding’s metadata: its result and its signals depend only on the
   * finding’s result and signals and on the history. A check with this function is also listed in `recall-checks.ts`.
   */
  readonly recall?: (finding: Finding, history: History) => Finding;
  /**
   * For the time machine: what `inspect` would have found under another policy, from what the log kept. `undefined` if
   * the log does not have enough. Without this function the logged result is used.
   */
  readonly replay?: (
    logged: Finding | undefined,
    history: History,
    policy: ProjectPolicy,
  ) => Finding | undefined;
}

/** What shows that a script drives the browser. */
export function automationIn({ userAgent, scriptHint }: CheckInput): 'user-agent' | ScriptHint | undefined {
  return userAgent !== undefined && automationOf(userAgent) !== undefined ? 'user-agent' : scriptHint;
}

/** Whether the request has the field that the check needs. */
export function hasInput(check: Check, input: CheckInput): boolean {
  return check.needs === undefined || input[check.needs] !== undefined;
}
