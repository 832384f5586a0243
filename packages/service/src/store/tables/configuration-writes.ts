import type { ProjectSettings } from '@postern/contract/project-fields';
import { type Database, lockName, type Statement, statement } from '../database.ts';
import { StoreConflict } from '../store-errors.ts';
import type { TimedId } from '../timed-id.ts';
import { type AuditRow, type AuditStore, auditInsertion } from './audit-table.ts';
import { insertFirstVersion, insertNextVersion, type SavedPolicy } from './policy-version-table.ts';
import { PROJECT, type ProjectChange } from './project-table.ts';
import { type Webhook, webhookStore } from './webhook-table.ts';

export type WebhookWrite =
  | { readonly create: Webhook }
  | { readonly update: Webhook }
  | { readonly rotate: { readonly id: string; readonly secret: string; readonly previousUntil: number } }
  | { readonly remove: string };

/** The changes of one project by `postern apply`. */
export interface ProjectWrite {
  readonly id: string;
  /** The version that was planned for; `null` for a new project. */
  readonly version: number | null;
  /** Of a new project. */
  readonly settings?: ProjectSettings;
  readonly change: ProjectChange;
  readonly saved: SavedPolicy | undefined;
  readonly webhooks: readonly WebhookWrite[];
  readonly audit: readonly AuditRow[];
}

/**
 * Applies the changes of all projects in one transaction. Throws StoreConflict, and nothing is changed, if a project has
 * another version by now.
 */
export function configurationWriter(database: Database, timedId: TimedId, audit: Pick<AuditStore, 'chain'>) {
  return async (writes: readonly ProjectWrite[]): Promise<void> => {
    try {
      await database.write([
        lockName('configuration'),
        // In the order of their IDs, so that two transactions never wait for each other.
        ...[...writes]
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .flatMap((write) => statementsOf(write, timedId, database)),
      ]);
    } catch (error) {
      if (await isStale(database, writes))
        throw new StoreConflict(
          'Somebody else changed a project at the same time. Nothing was applied; try again.',
          {
            cause: error,
          },
        );
      throw error;
    }
    await audit.chain();
  };
}

function statementsOf(write: ProjectWrite, timedId: TimedId, database: Database): Statement[] {
  const { id, version, change, saved, webhooks, audit } = write;
  return [
    ...(version === null
      ? creation(write)
      : [
          ...lockedAt(id, version),
          ...(saved === undefined ? [] : insertNextVersion(id, version, saved)),
          updating(id, change),
        ]),
    ...webhooks.flatMap((webhook) => webhookStatements(id, webhook, webhookStore(database))),
    ...audit.map((row) => auditInsertion(row, timedId)),
  ];
}

function creation({ id, settings, change, saved }: ProjectWrite): Statement[] {
  if (settings === undefined || saved === undefined) throw new TypeError('A new project needs its settings');
  const { archivedAt = null } = change;
  return [
    insertFirstVersion(id, saved),
    // An ID that is taken ends the transaction.
    PROJECT.insert({ ...settings, id, createdAt: saved.at, archivedAt, version: 1 }),
  ];
}

/** Locks the project. A column that must not be NULL ends the transaction if the project has another version by now. */
function lockedAt(id: string, version: number): Statement[] {
  return [
    statement('UPDATE project SET version = version WHERE id = ?', id),
    statement(
      `INSERT INTO secret (name, value) SELECT 'lock:configuration', CAST(NULL AS TEXT)
       WHERE NOT EXISTS (SELECT 1 FROM project WHERE id = ? AND version = ?)`,
      id,
      version,
    ),
  ];
}

function updating(id: string, change: ProjectChange): Statement {
  const set = PROJECT.assignments(change);
  return statement(
    `UPDATE project SET ${[...set.columns, 'version = version + 1'].join(', ')} WHERE id = ?`,
    ...set.values,
    id,
  );
}

function webhookStatements(
  projectId: string,
  write: WebhookWrite,
  webhooks: ReturnType<typeof webhookStore>,
): Statement[] {
  if ('create' in write) return webhooks.create(write.create);
  if ('remove' in write) return webhooks.remove({ projectId, id: write.remove });
  if ('update' in write) return webhooks.update(write.update);
  const { id, secret, previousUntil } = write.rotate;
  return webhooks.rotate({ projectId, id }, secret, previousUntil);
}

async function isStale(database: Database, writes: readonly ProjectWrite[]): Promise<boolean> {
  const rows = await database.read(statement('SELECT id, version FROM project'));
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return writes.some(({ id, version }) => (versions.get(id) ?? null) !== version);
}
