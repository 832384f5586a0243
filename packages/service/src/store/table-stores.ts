import { authDatabase } from './auth-database.ts';
import type { Database } from './database.ts';
import type { DeadlineTimer } from './deadline.ts';
import type { Dialect } from './migrations/dialect.ts';
import { answerStore } from './tables/answer-table.ts';
import { auditStore, committing } from './tables/audit-table.ts';
import { campaignStore } from './tables/campaign-table.ts';
import { challengeStore } from './tables/challenge-table.ts';
import { claimStore } from './tables/claim-table.ts';
import { counterStore } from './tables/counter-table.ts';
import { eventStore } from './tables/event-table.ts';
import { instanceStore } from './tables/instance-table.ts';
import { keyStore } from './tables/key-table.ts';
import { logStore } from './tables/log-table.ts';
import { memberStore } from './tables/member-table.ts';
import { outcomeStore } from './tables/outcome-table.ts';
import { policyVersionStore } from './tables/policy-version-table.ts';
import { projectStore } from './tables/project-table.ts';
import { reviewStore } from './tables/review-table.ts';
import { sdkFileStore } from './tables/sdk-file-table.ts';
import { type MemoryStore, sightingStore } from './tables/sighting-table.ts';
import { statisticsStore } from './tables/statistics-table.ts';
import { refund } from './tables/take-quota.ts';
import { timelineStore } from './tables/timeline-table.ts';
import type { TimedId } from './timed-id.ts';

/** What both back ends do with the same SQL, each in its own database. */
export function tableStores(
  database: Database,
  dialect: Dialect,
  startTimer: DeadlineTimer,
  timedId: TimedId,
) {
  const audit = auditStore(database, timedId);
  return {
    /** Gives back the quota that `settle` consumed, when a later step failed. */
    refund: (projectId: string, month: string): Promise<void> => refund(database, projectId, month),
    projects: projectStore(database),
    /** Writes the changes of an operation together with what the audit log says of them. */
    commit: committing(database, timedId, audit),
    keys: keyStore(database),
    log: logStore(database, dialect),
    memory: sightingStore(database) satisfies MemoryStore,
    statistics: statisticsStore(database),
    answers: answerStore(database, startTimer),
    instance: instanceStore(database),
    audit,
    outcomes: outcomeStore(database, dialect),
    review: reviewStore(database, timedId, dialect),
    events: eventStore(database, timedId),
    campaigns: campaignStore(database),
    challenges: challengeStore(database),
    claims: claimStore(database, timedId),
    members: memberStore(database),
    counters: counterStore(database),
    policyVersions: policyVersionStore(database),
    timeline: timelineStore(database, timedId),
    sdkFiles: sdkFileStore(database),
    auth: authDatabase(database, dialect),
  };
}

export type TableStores = ReturnType<typeof tableStores>;
