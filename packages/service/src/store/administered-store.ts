import { type SqlValue, type Statement, statement } from './database.ts';
import type { Store } from './store.ts';
import { PROJECT_COLUMNS } from './tables/project-columns.ts';

/** Operations of both back ends that only the command line needs. */
export interface AdministeredStore extends Store {
  /** Facts for `postern doctor`. */
  describe(): Promise<StoreFacts>;
  /** Checks all data that the store itself is responsible for. Throws StoreUnavailable if it is damaged. */
  verify(): Promise<void>;
  /** A consistent dump of everything or of a part, in an order in which it can be loaded. */
  dump(part?: DumpPart): AsyncIterable<DumpRow>;
  /**
   * Loads a dump, all or nothing. Throws StoreConflict if there are already projects; for a dump of one project, if
   * that project is there.
   */
  load(rows: AsyncIterable<DumpRow>, project?: string): Promise<LoadFacts>;
  /**
   * Deletes everything that is stored of an archived project, except the audit log. `false`, and nothing is deleted, if
   * it is not archived.
   */
  deleteProject(id: string): Promise<boolean>;
}

/** One project, or everything but the projects: secrets, signing keys and people. */
export type DumpPart = { readonly project: string } | 'instance';

export interface StoreFacts {
  readonly backEnd: 'sqlite' | 'postgres';
  /** The file, or the server and database without the password. */
  readonly place: string;
  readonly engineVersion: string;
  /** The number of the last migration. */
  readonly schemaVersion: number;
  readonly sizeBytes: number;
  /** Part of the size that holds nothing and is used before the file grows. `null` if the store cannot tell. */
  readonly unusedBytes: number | null;
  /** Free space on the disk. `null` if the store cannot see it. */
  readonly freeBytes: number | null;
  readonly projects: number;
  readonly keys: number;
  readonly logRows: number;
  /** Problems, one sentence each. Empty if there are none. */
  readonly warnings: readonly string[];
}

/** A row of one of DUMP_TABLES with its columns. Either back end can load a dump of the other. */
export interface DumpRow {
  readonly table: DumpTable;
  readonly row: Readonly<Record<string, SqlValue>>;
}

export interface LoadFacts {
  readonly rows: Readonly<Record<DumpTable, number>>;
}

/** The tables of a dump and the columns that both back ends have, in the order of a dump. */
export const DUMP_TABLES = {
  project: PROJECT_COLUMNS,
  api_key: [
    'project_id',
    'id',
    'type',
    'mode',
    'name',
    'hash',
    'hint',
    'created_at',
    'expires_at',
    'revoked_at',
    'last_used_at',
    'version',
  ],
  key_directory: ['handle', 'project_id', 'key_id'],
  rate_bucket: ['project_id', 'lane', 'second', 'count', 'last_at'],
  rate_total: ['project_id', 'lane', 'total', 'latest_at'],
  quota: ['project_id', 'month', 'used'],
  device: [
    'project_id',
    'device',
    'inboxes',
    'networks',
    'first_seen',
    'last_seen',
    'oldest_seen',
    'blocked',
  ],
  device_sighting: ['project_id', 'device', 'inbox', 'first_seen', 'last_seen', 'count', 'blocked'],
  device_network: ['project_id', 'device', 'network', 'last_seen'],
  inbox: ['project_id', 'inbox', 'spelling', 'last_seen', 'other_spelling', 'other_seen', 'kept_since'],
  usage_hour: ['project_id', 'hour', 'kind', 'count'],
  validation_log: ['project_id', 'id', 'recommendation', 'marks', 'history', 'facts', 'review'],
  log_total: ['project_id', 'rows'],
  statistics: ['project_id', 'at', 'counts'],
  statistics_change: ['project_id', 'id', 'at', 'lines'],
  secret: ['name', 'value'],
  signing_key: ['kid', 'private_key', 'public_key', 'created_at', 'retired_at'],
  audit: ['id', 'at', 'actor', 'action', 'project_id', 'detail'],
  auth_user: ['id', 'name', 'email', 'emailVerified', 'image', 'createdAt', 'updatedAt', 'twoFactorEnabled'],
  auth_account: [
    'id',
    'accountId',
    'providerId',
    'userId',
    'accessToken',
    'refreshToken',
    'idToken',
    'accessTokenExpiresAt',
    'refreshTokenExpiresAt',
    'scope',
    'password',
    'createdAt',
    'updatedAt',
  ],
  auth_two_factor: [
    'id',
    'secret',
    'backupCodes',
    'userId',
    'verified',
    'failedVerificationCount',
    'lockedUntil',
  ],
  auth_passkey: [
    'id',
    'name',
    'publicKey',
    'userId',
    'credentialID',
    'counter',
    'deviceType',
    'backedUp',
    'transports',
    'createdAt',
    'aaguid',
  ],
  member: ['user_id', 'role', 'joined_at', 'project_roles', 'active_at'],
  account_link: ['id', 'kind', 'hash', 'role', 'created_at', 'expires_at', 'project_roles'],
  access_token: ['id', 'user_id', 'name', 'hash', 'created_at', 'expires_at', 'last_used_at'],
  onboarding_step: ['project_id', 'step', 'at'],
  saved_view: ['project_id', 'member_id', 'id', 'name', 'filters', 'created_at'],
  outcome: ['project_id', 'inbox', 'accepted_at', 'verdict', 'reason', 'decided_at', 'seen_at'],
  event: ['project_id', 'id', 'sort_id', 'type', 'at', 'log_id', 'data'],
  delivery: [
    'project_id',
    'id',
    'webhook_id',
    'event_id',
    'type',
    'log_id',
    'state',
    'attempts',
    'next_at',
    'status',
    'error',
    'duration_ms',
    'done_at',
  ],
  // Must come after validation_log: loading a log row fires a trigger that sends it to all existing webhooks.
  webhook: [
    'project_id',
    'id',
    'url',
    'events',
    'format',
    'secret',
    'previous_secret',
    'previous_until',
    'created_at',
    'failing_since',
    'disabled_at',
  ],
} as const;

export type DumpTable = keyof typeof DUMP_TABLES;

export const DUMP_TABLE_NAMES = Object.keys(DUMP_TABLES) as DumpTable[];

/** The tables whose rows belong to one project. The audit log names projects but belongs to the whole store. */
const PROJECT_TABLES = DUMP_TABLE_NAMES.filter(
  (table) =>
    table === 'project' ||
    (table !== 'audit' && (DUMP_TABLES[table] as readonly string[]).includes('project_id')),
);

export function tablesOf(part: DumpPart | undefined): readonly DumpTable[] {
  if (part === undefined) return DUMP_TABLE_NAMES;
  if (part !== 'instance') return PROJECT_TABLES;
  return DUMP_TABLE_NAMES.filter((table) => table !== 'audit' && !PROJECT_TABLES.includes(table));
}

/** The condition for the rows of a dump. */
export function rowsOfPart(table: DumpTable, part: DumpPart | undefined): string {
  if (part === undefined || part === 'instance') return '';
  // Cursors take no parameters on either back end.
  return ` WHERE ${table === 'project' ? 'id' : 'project_id'} = '${part.project.replaceAll("'", "''")}'`;
}

/**
 * The tables that no dump contains, because their rows are useful for a short time only: rows of projects, and rows of
 * the whole store. Members sign in again after an import.
 */
export const NOT_DUMPED = {
  project: ['idempotent_answer', 'review_look'],
  instance: ['auth_session', 'auth_verification', 'sign_in_attempt'],
} as const;

/**
 * Empties a store without projects before everything is loaded: it has its own secrets, set-up link and members, and
 * nothing depends on them.
 */
export function emptying(): string[] {
  return [...tablesOf('instance'), 'audit', ...NOT_DUMPED.instance].map((table) => `DELETE FROM ${table}`);
}

const ARCHIVED = 'SELECT id FROM project WHERE id = ? AND archived_at IS NOT NULL';

/** Statements that delete a project if it is archived. The project’s own row is last, and is returned. */
export function projectDeletion(id: string, ownTables: readonly string[] = []): Statement[] {
  return [
    ...[...PROJECT_TABLES.filter((table) => table !== 'project'), ...NOT_DUMPED.project, ...ownTables].map(
      (table) => statement(`DELETE FROM ${table} WHERE project_id = (${ARCHIVED})`, id),
    ),
    statement(`DELETE FROM project WHERE id = (${ARCHIVED}) RETURNING id`, id),
  ];
}

/** Quoted, because the dashboard’s tables have column names with capital letters. */
export function quotedColumns(table: DumpTable): string {
  return DUMP_TABLES[table].map((column) => `"${column}"`).join(', ');
}
