import type { Table } from './table-of.ts';
import { ACCESS_TOKEN } from './tables/access-token-table.ts';
import { ACCOUNT_LINK } from './tables/account-link-table.ts';
import { IDEMPOTENT_ANSWER } from './tables/answer-table.ts';
import { SIGN_IN_ATTEMPT } from './tables/attempt-table.ts';
import { AUDIT } from './tables/audit-table.ts';
import {
  AUTH_ACCOUNT,
  AUTH_PASSKEY,
  AUTH_SESSION,
  AUTH_TWO_FACTOR,
  AUTH_USER,
  AUTH_VERIFICATION,
} from './tables/auth-tables.ts';
import { DELIVERY } from './tables/delivery-table.ts';
import { EVENT } from './tables/event-table.ts';
import { INCIDENT } from './tables/incident-table.ts';
import { SECRET, SIGNING_KEY } from './tables/instance-table.ts';
import { API_KEY, KEY_DIRECTORY } from './tables/key-table.ts';
import { MEMBER } from './tables/member-row.ts';
import { ONBOARDING_STEP } from './tables/onboarding-table.ts';
import { OUTCOME } from './tables/outcome-table.ts';
import { PERSON, PERSON_REQUEST } from './tables/past-people.ts';
import { PAST_SIGHTING, SWEPT_LOG } from './tables/past-sightings.ts';
import { POLICY_VERSION } from './tables/policy-version-table.ts';
import { PROJECT } from './tables/project-table.ts';
import { REVIEW_PASS } from './tables/review-table.ts';
import { SDK_FILE } from './tables/sdk-file-table.ts';
import {
  DEVICE,
  DEVICE_NETWORK,
  DEVICE_SIGHTING,
  INBOX,
  QUOTA,
  RATE_BUCKET,
  SETTLED_BATCH,
  STATISTICS,
  STATISTICS_CHANGE,
  VALIDATION_LOG,
} from './tables/settle-tables.ts';
import { TIMELINE_ENTRY } from './tables/timeline-table.ts';
import { WEBHOOK } from './tables/webhook-table.ts';

/** The tables of a dump, in its order. */
export const DUMPED = [
  PROJECT,
  POLICY_VERSION,
  API_KEY,
  KEY_DIRECTORY,
  RATE_BUCKET,
  QUOTA,
  DEVICE,
  DEVICE_SIGHTING,
  DEVICE_NETWORK,
  INBOX,
  VALIDATION_LOG,
  PAST_SIGHTING,
  STATISTICS,
  STATISTICS_CHANGE,
  SECRET,
  SIGNING_KEY,
  SDK_FILE,
  AUDIT,
  AUTH_USER,
  AUTH_ACCOUNT,
  AUTH_TWO_FACTOR,
  AUTH_PASSKEY,
  MEMBER,
  ACCOUNT_LINK,
  ACCESS_TOKEN,
  ONBOARDING_STEP,
  OUTCOME,
  TIMELINE_ENTRY,
  PERSON,
  PERSON_REQUEST,
  EVENT,
  INCIDENT,
  DELIVERY,
  // Must come after validation_log: loading a log row fires a trigger that sends it to all existing webhooks.
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
 * The tables that no dump contains, because their rows are useful for a short time only. Members sign in again, and the
 * sweep reads the log from its beginning.
 */
export const NOT_DUMPED = [
  SWEPT_LOG,
  IDEMPOTENT_ANSWER,
  REVIEW_PASS,
  AUTH_SESSION,
  AUTH_VERIFICATION,
  SIGN_IN_ATTEMPT,
] as const;

type BackEnd = 'sqlite' | 'postgres';

/** Tables of one back end. They are not dumped either. */
const OWN_TABLES: Readonly<Record<BackEnd, readonly Table<unknown>[]>> = {
  sqlite: [],
  postgres: [SETTLED_BATCH],
};

/** These are views of the lists in a device’s own row. */
const VIEWS: Readonly<Record<BackEnd, readonly Table<unknown>[]>> = {
  sqlite: [DEVICE_SIGHTING, DEVICE_NETWORK],
  postgres: [DEVICE_NETWORK],
};

/** The columns of a device, which are not those of a dump. */
const DEVICE_COLUMNS: Readonly<Record<BackEnd, readonly string[]>> = {
  sqlite: ['project_id', 'device', 'inbox_list', 'network_list'],
  postgres: [...DEVICE.columns.keys(), 'network_times'],
};

export function tablesIn(backEnd: BackEnd): readonly Table<unknown>[] {
  const tables = [...DUMPED, ...NOT_DUMPED, ...OWN_TABLES[backEnd]];
  return tables.filter((table) => !VIEWS[backEnd].includes(table));
}

export function columnsIn(backEnd: BackEnd, table: Table<unknown>): readonly string[] {
  return table === DEVICE ? DEVICE_COLUMNS[backEnd] : [...table.columns.keys()];
}

/** The tables whose rows belong to one project. The audit log names projects but belongs to the whole store. */
export function isOfProject(table: Table<unknown>): boolean {
  return table.name === 'project' || (table.name !== 'audit' && table.columns.has('project_id'));
}

/** The tables besides the log whose rows are about one row of the log. */
export const ABOUT_LOG_ROWS = [...DUMPED, ...NOT_DUMPED].filter(({ columns }) => columns.has('log_id'));
