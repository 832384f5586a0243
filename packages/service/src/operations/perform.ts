import type { AuditAction } from '@postern/contract/dashboard';
import type { Statement } from '../store/database.ts';
import { StoreConflict } from '../store/store.ts';
import type { AuditRow } from '../store/tables/audit-table.ts';
import type { Administration } from './administration.ts';

/** What the audit log says of a change. */
export interface Note {
  readonly action: AuditAction;
  /** `null`: it is about no project. */
  readonly project: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  /** A person who acts before they are known, by opening an account. */
  readonly actor?: string;
}

/** A change that was planned and is not stored yet. What is written and what the audit log says of it belong together. */
export interface Change<T> {
  readonly write: readonly Statement[];
  readonly note: readonly Note[];
  readonly answer: T;
}

/** Up to this many changes of the same at the same time all succeed: when an attempt fails, another one has succeeded. */
const MAX_ATTEMPTS = 20;

/**
 * Plans the change and stores it with its audit rows, in one transaction. If another writer changed the same since it was
 * planned, it is planned again, so a plan only reads.
 */
export async function perform<T>(admin: Administration, plan: () => Promise<Change<T>>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const { write, note, answer } = await plan();
    if (write.length === 0 && note.length === 0) return answer;
    try {
      await admin.store.commit(
        write,
        note.map((one) => auditRow(admin, one)),
      );
      return answer;
    } catch (error) {
      if (!(error instanceof StoreConflict) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Who did it, when, how they came and why. */
export function auditRow(
  { now, via, reason, ...admin }: Administration,
  { action, project, detail, actor = admin.actor }: Note,
): AuditRow {
  const how = Object.entries({ reason, ...via }).filter(([, value]) => value !== undefined);
  return { at: now(), actor, action, projectId: project, detail: { ...detail, ...Object.fromEntries(how) } };
}
