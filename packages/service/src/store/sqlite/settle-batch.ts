import { HOUR_MS } from '../../model/windows.ts';
import { type PackedHistory, packHistory } from '../log-record.ts';
import { KEY_USE_NOTED_EVERY_MS, resetSecond } from '../rate-rules.ts';
import type { UsageHour } from '../store.ts';
import type { SettlementMessage, SubmissionMessage, ValidationMessage } from '../submission-message.ts';
import { batchCounters } from './batch-counters.ts';
import { cachedKeys } from './cached-keys.ts';
import type { Connection } from './connection.ts';
import { rateWindows } from './rate-window.ts';
import { remembered } from './remembered.ts';
import type { Sighting } from './sighting.ts';
import { validationLog } from './validation-log.ts';

/** What was read is kept for so many requests: some megabytes, and seconds under full load. */
const REQUESTS_REMEMBERED = 8_192;

type Outcome = 'visitor-limited' | 'rate-limited' | 'quota-exceeded' | 'admitted';

type Answer = [
  outcome: Outcome,
  total: number,
  resetAt: number,
  retryAfter: number,
  quotaUsed: number,
  history: PackedHistory | null,
];

/** An admitted validation, which is to be remembered and logged. */
interface Admitted {
  readonly answer: Answer;
  readonly submission: SubmissionMessage;
  readonly validation: ValidationMessage;
}

/**
 * Settles a batch in order, inside a transaction that holds the write lock. First each request is counted, then
 * those that are admitted are remembered and logged: counting needs no history. Whatever the batch needs is read
 * and written together, and each request is judged on what the ones before it left.
 *
 * What was read is kept from batch to batch for as long as SQLite says that no other connection wrote; `forget`
 * is for this connection’s other writes and for batches that failed.
 */
export function settleBatch(connection: Connection) {
  const keys = cachedKeys(connection);
  const windows = rateWindows(connection);
  const counts = batchCounters(connection);
  const memory = remembered(connection);
  const log = validationLog(connection);
  const noteUse = connection.prepare('UPDATE api_key SET last_used_at = ? WHERE project_id = ? AND id = ?');
  let seenVersion = -1;
  let requestsRemembered = 0;

  const forget = () => {
    for (const part of [keys, windows, counts, memory, log]) part.forget();
    requestsRemembered = 0;
  };

  const confirm = (submission: SubmissionMessage): boolean => {
    const key = keys.find(submission.project, submission.key);
    if (
      !key ||
      key.keyVersion !== submission.keyVersion ||
      key.projectVersion !== submission.projectVersion
    ) {
      return false;
    }
    if (key.lastUsedAt === null || submission.now - key.lastUsedAt >= KEY_USE_NOTED_EVERY_MS) {
      noteUse.run([submission.now, submission.project, submission.key]);
      key.lastUsedAt = submission.now;
    }
    return true;
  };

  const countUsage = ({ project, now, live }: SubmissionMessage, kind: UsageHour['kind']) => {
    if (live === 1) counts.addUsage(project, Math.floor(now / HOUR_MS) * HOUR_MS, kind);
  };

  /** Counts one request; the answer’s history is still to come. */
  const count = (submission: SubmissionMessage): Answer => {
    const { project, month, now, rateLimit } = submission;
    const window = windows.of(project, submission.lane);
    const answer = (outcome: Outcome, applied = window, limit = rateLimit): Answer => [
      outcome,
      applied.total(),
      resetSecond(applied.total(), applied.latestAt(), now),
      applied.retryAfter(now, limit),
      counts.quotaUsed(project, month),
      null,
    ];
    if (submission.countRate === 0) window.settleTo(now);
    else {
      const visitor = submission.visitor === null ? undefined : windows.of(project, submission.visitor);
      if (visitor && !visitor.hasRoom(now, submission.visitorLimit)) {
        countUsage(submission, 'rate-limited');
        return answer('visitor-limited', visitor, submission.visitorLimit);
      }
      if (!window.admit(now, rateLimit)) {
        countUsage(submission, 'rate-limited');
        return answer('rate-limited');
      }
      visitor?.admit(now, submission.visitorLimit);
    }
    if (submission.validation === null || submission.live === 0) return answer('admitted');
    if (counts.quotaUsed(project, month) >= submission.quotaLimit) {
      countUsage(submission, 'quota-exceeded');
      return answer('quota-exceeded');
    }
    counts.useQuota(project, month);
    return answer('admitted');
  };

  const record = (admitted: readonly Admitted[]) => {
    const histories = memory.seeAll(admitted.map(sightingOf));
    for (const [index, { answer, submission, validation }] of admitted.entries()) {
      const history = histories[index];
      if (!history) throw new Error('A validation was not remembered');
      answer[5] = packHistory(history);
      countUsage(submission, log.add(submission.project, validation, history));
      counts.addLogRow(submission.project);
    }
  };

  const settleAll = (batch: readonly SubmissionMessage[], dataVersion: number): SettlementMessage[] => {
    if (dataVersion !== seenVersion || requestsRemembered > REQUESTS_REMEMBERED) forget();
    seenVersion = dataVersion;
    requestsRemembered += batch.length;
    const admitted: Admitted[] = [];
    const answers = batch.map((submission) => {
      if (!confirm(submission)) return null;
      const answer = count(submission);
      const { validation } = submission;
      if (validation !== null && answer[0] === 'admitted') admitted.push({ answer, submission, validation });
      return answer;
    });
    record(admitted);
    for (const part of [windows, counts, memory, log]) part.save();
    return answers;
  };

  return { settleAll, forget };
}

function sightingOf({ submission, validation }: Admitted): Sighting {
  return {
    projectId: submission.project,
    inbox: validation.inbox,
    spelling: validation.spelling,
    device: validation.device,
    network: validation.network,
    threshold: validation.threshold,
    commonNetworks: validation.commonNetworks,
    outcomes: validation.outcomes,
    now: submission.now,
    cutoff: submission.now - validation.retentionMs,
    keep: submission.live === 1,
  };
}
