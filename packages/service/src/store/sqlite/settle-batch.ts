import { createKeyedHash } from '../../model/keyed-hash.ts';
import { bucketAt } from '../rate-rules.ts';
import { type SettleTools, settle, wantedRows } from '../settle/settle.ts';
import type { Judge, Settlement, Submission } from '../submission.ts';
import { HASH_SECRET } from '../tables/instance-table.ts';
import { timedIds } from '../timed-id.ts';
import type { Connection } from './connection.ts';
import { projectRows } from './project-rows.ts';

export type Settling = (connection: Connection) => ReturnType<typeof settleBatch>;

/** Settles requests of any projects, inside a transaction that holds the write lock. */
export function settleBatch(connection: Connection, judge: Judge) {
  const rows = projectRows(connection);
  const tools: SettleTools = { judge, hashInbox: inboxHash(connection), newId: timedIds() };

  return (batch: readonly Submission[]): Settlement[] => {
    const settlements: Settlement[] = new Array(batch.length);
    for (const places of groupsOf(batch)) {
      const [first] = places;
      if (first === undefined) continue;
      const submissions = places.map(({ submission }) => submission);
      const { projectId } = first.submission;
      const loaded = rows.load(projectId, wantedRows(submissions));
      const settled = loaded && settle(loaded, submissions, tools);
      if (settled) rows.save(projectId, settled.changes);
      places.forEach(({ place }, index) => {
        settlements[place] = settled?.settlements[index] ?? { result: 'stale' };
      });
    }
    return settlements;
  };
}

interface Placed {
  readonly submission: Submission;
  readonly place: number;
}

/** Requests of one project and one second, which are settled together. */
function groupsOf(batch: readonly Submission[]): Placed[][] {
  const groups: Placed[][] = [];
  const latest = new Map<string, Placed[]>();
  for (const [place, submission] of batch.entries()) {
    const group = latest.get(submission.projectId);
    const [first] = group ?? [];
    if (group && first && bucketAt(first.submission.now) === bucketAt(submission.now))
      group.push({ submission, place });
    else {
      const next = [{ submission, place }];
      groups.push(next);
      latest.set(submission.projectId, next);
    }
  }
  return groups;
}

/** Rules that name people in lists need it. The service has made the secret before it answers its first request. */
function inboxHash(connection: Connection): SettleTools['hashInbox'] {
  let hash: ReturnType<typeof createKeyedHash> | undefined;
  return (name) => {
    if (hash === undefined) {
      const row = connection.prepare('SELECT value FROM secret WHERE name = ?').raw(true).get([HASH_SECRET]);
      const [secret] = (row ?? []) as readonly string[];
      if (secret === undefined) throw new Error('The store has no secret for hashes yet');
      hash = createKeyedHash(secret);
    }
    return hash('inbox', name);
  };
}
