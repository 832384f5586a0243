import { KEY_ROTATION_DAYS } from './keys.ts';

interface EventRow {
  /** When the event is sent. */
  readonly when: string;
}

/** Every event that a webhook can get. Documents, parsers and the dashboard read this table. */
export const WEBHOOK_EVENTS = {
  'validation.flagged': { when: 'A validation was answered with `flag`.' },
  'validation.blocked': { when: 'A validation was answered with `block`.' },
  'review.decided': {
    when: 'A member decided a validation in the review queue, corrected a decision or took it back.',
  },
  'quota.reached': { when: 'The project has used 80% or 100% of its validations this month.' },
  'campaign.detected': {
    when: 'People who belong together were noticed: many within an hour, or a farm over days. Once for each campaign.',
  },
  'rule.gone_bad': {
    when: 'A live rule that flags or blocks hits fewer bad people than average, measured on at least 20 people whose outcome is known.',
  },
  'key.rotation_due': { when: `A live key is ${KEY_ROTATION_DAYS} days old or older.` as string },
  'feed.stale': { when: 'A data source could not be refreshed for too long.' },
  'dns.offline': { when: 'The DNS resolver stopped answering for well-known domains.' },
  'claim.refused': { when: 'A claim was refused, because the person has it already.' },
  'step_up.mail_stopped': {
    when: 'The project has mailed as many codes in an hour as it may, so flagged people are not asked for one.',
  },
  'step_up.vendor_failed': {
    when: 'The CAPTCHA vendor did not say whether a flagged person passed: it is away, or refuses the project’s secret.',
  },
  'test.ping': { when: 'A member asked for a test delivery.' },
} as const;
WEBHOOK_EVENTS satisfies Record<string, EventRow>;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;

export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[];

/** What a webhook is made for; `*` for all events, those too that a later version adds. */
export type WebhookEvents = readonly WebhookEvent[] | '*';

/** The names of the events that a webhook gets. */
export function namesOfEvents(events: WebhookEvents): WebhookEvent[] {
  return [...(events === '*' ? WEBHOOK_EVENT_NAMES : events)];
}

/** Which of its events a webhook gets. Without it, all of them. */
export interface WebhookFilter {
  /** Only validations with one of these signals. */
  readonly signals?: readonly string[];
}

export const WEBHOOK_FORMATS = ['standard', 'slack', 'discord'] as const;
/** `email` goes with a `mailto:` URL and with nothing else. */
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number] | 'email';

/** The body of a delivery in the standard format (https://www.standardwebhooks.com). */
export interface WebhookPayload {
  readonly type: WebhookEvent;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  readonly data: WebhookData;
}

export interface WebhookData {
  readonly project: string;
  /** Names the validation; absent for events that are not about one. */
  readonly requestId?: string;
  readonly [field: string]: unknown;
}

/** The headers of a delivery. */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

export const WEBHOOK_SECRET_PREFIX = 'whsec_';
export const WEBHOOK_NAME_LENGTH = 64;
export const MOST_COUNTED_DELIVERIES = 10_000;
