import type { Signal } from '@postern/contract';
import type { EmailAddress } from '../model/email-address.ts';
import type { History } from '../model/history.ts';
import type { Inbox } from '../model/inbox.ts';
import type { IpAddress } from '../model/ip-address.ts';
import type { MailRoute } from '../model/mail-route.ts';
import type { ListEntry, ProjectPolicy } from '../model/project.ts';

/** What a check may look at. */
export interface CheckInput {
  readonly address: EmailAddress;
  readonly fingerprintHash: string | undefined;
  readonly ip: IpAddress | undefined;
  readonly userAgent: string | undefined;
  readonly policy: ProjectPolicy;
  readonly allowList: readonly ListEntry[];
  readonly blockList: readonly ListEntry[];
  /** How mail gets to the address’s domain; asked once a request, whoever asks first. Never rejects. */
  readonly mailRoute: () => MailRoute | Promise<MailRoute>;
  /** The inbox that the address reaches; worked out once a request. Never rejects. */
  readonly inbox: () => Inbox | Promise<Inbox>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Facts = {
  readonly signals?: readonly Signal[];
  /** Fields of CHECK_METADATA for this check. */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/** Passed, failed, or could not tell. A check that did not run has no finding. */
export type Finding =
  | ({ readonly outcome: 'passed' } & Facts)
  | ({ readonly outcome: 'failed'; readonly error: string } & Facts)
  | ({ readonly outcome: 'unknown'; readonly reason: string } & Facts);

/**
 * One check. It neither times itself nor catches nor calls another: the runner does that for all.
 */
export interface Check {
  /** Whether the request carries what the check looks at. Absent: always. */
  readonly applies?: (input: CheckInput) => boolean;
  /** What is true of the request alone. */
  readonly inspect: (input: CheckInput) => Finding | Promise<Finding>;
  /** What the project’s memory adds to that. Pure; it never takes a failure back. */
  readonly recall?: (finding: Finding, history: History, input: CheckInput) => Finding;
}
