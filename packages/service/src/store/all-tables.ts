import type { Table } from './table-of.ts';
import { ACCESS_TOKEN } from './tables/access-token-table.ts';
import { ACCOUNT_LINK } from './tables/account-link-table.ts';
import { IDEMPOTENT_ANSWER } from './tables/answer-table.ts';
import { AUDIT } from './tables/audit-table.ts';
import {
  AUTH_ACCOUNT,
  AUTH_SESSION,
  AUTH_TWO_FACTOR,
  AUTH_USER,
  AUTH_VERIFICATION,
} from './tables/auth-tables.ts';
import { CAMPAIGN, CAMPAIGN_PERSON } from './tables/campaign-table.ts';
import { CHALLENGE, STEP_UP_VENDOR } from './tables/challenge-table.ts';
import { CLAIM, CLAIM_HANDLE } from './tables/claim-table.ts';
import { COUNTER } from './tables/counter-table.ts';
import { DELIVERY } from './tables/delivery-table.ts';
import { EVENT } from './tables/event-table.ts';
import { SECRET, SIGNING_KEY } from './tables/instance-table.ts';
import { REVIEW_PASS } from './tables/judgements.ts';
import { API_KEY, KEY_DIRECTORY } from './tables/key-table.ts';
import { MEMBER } from './tables/member-row.ts';
import { ONBOARDING_STEP } from './tables/onboarding-table.ts';
import { PERSON, PERSON_REQUEST } from './tables/past-people.ts';
import { POLICY_VERSION } from './tables/policy-version-table.ts';
import { PROJECT } from './tables/project-table.ts';
import { SDK_FILE } from './tables/sdk-file-table.ts';
import {
  CROWD,
  DEVICE,
  INBOX,
  NEWCOMERS,
  QUOTA,
  RATE_BUCKET,
  STATISTICS,
  STATISTICS_CHANGE,
  VALIDATION_LOG,
} from './tables/settle-tables.ts';
import { TIMELINE_ENTRY } from './tables/timeline-table.ts';
import { WEBHOOK } from './tables/webhook-table.ts';
import { OUTCOME } from './tables/write-outcomes.ts';

/** The tables of a dump, in its order. */
export const DUMPED = [
  PROJECT,
  POLICY_VERSION,
  API_KEY,
  KEY_DIRECTORY,
  RATE_BUCKET,
  QUOTA,
  DEVICE,
  INBOX,
  CROWD,
  NEWCOMERS,
  VALIDATION_LOG,
  STATISTICS,
  STATISTICS_CHANGE,
  SECRET,
  SIGNING_KEY,
  SDK_FILE,
  AUDIT,
  AUTH_USER,
  AUTH_ACCOUNT,
  AUTH_TWO_FACTOR,
  MEMBER,
  ACCOUNT_LINK,
  ACCESS_TOKEN,
  ONBOARDING_STEP,
  OUTCOME,
  CHALLENGE,
  CLAIM,
  CLAIM_HANDLE,
  TIMELINE_ENTRY,
  PERSON,
  PERSON_REQUEST,
  EVENT,
  CAMPAIGN,
  CAMPAIGN_PERSON,
  DELIVERY,
  WEBHOOK,
] as const;

export type DumpTable = (typeof DUMPED)[number]['name'];

export type DumpedTable = Table<unknown, DumpTable>;

const BY_NAME = new Map<string, DumpedTable>(DUMPED.map((table) => [table.name, table]));

/** The table of that name, if a dump contains it. */
export function dumpedTable(name: string): DumpedTable | undefined {
  return BY_NAME.get(name);
}

/**
 * The tables that no dump contains: rows that are useful for a short time only, and secrets of other services. Members
 * sign in again.
 */
export const NOT_DUMPED = [
  IDEMPOTENT_ANSWER,
  STEP_UP_VENDOR,
  REVIEW_PASS,
  AUTH_SESSION,
  AUTH_VERIFICATION,
  COUNTER,
] as const;

export const ALL_TABLES: readonly Table<unknown>[] = [...DUMPED, ...NOT_DUMPED];

/** The tables whose rows belong to one project. The audit log names projects but belongs to the whole store. */
export function isOfProject(table: Table<unknown>): boolean {
  return table.name === 'project' || (table.name !== 'audit' && table.columns.has('project_id'));
}

/** The tables besides the log whose rows are about one row of the log. */
export const ABOUT_LOG_ROWS = ALL_TABLES.filter(({ columns }) => columns.has('log_id')) as readonly Table<{
  readonly projectId: string;
  readonly logId: string | null;
}>[];

/** The tables besides the log whose rows are about one person. */
export const OF_INBOXES = ALL_TABLES.filter(
  ({ name, columns }) => columns.has('inbox') && name !== VALIDATION_LOG.name,
) as readonly Table<{ readonly projectId: string; readonly inbox: string }>[];
