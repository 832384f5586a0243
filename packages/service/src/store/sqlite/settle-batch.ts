import type { PackedHistory } from '../log-record.ts';
import { packHistory } from '../log-record.ts';
import { HOUR_MS, KEY_USE_NOTED_EVERY_MS, resetSecond } from '../rate-rules.ts';
import type { UsageHour } from '../store.ts';
import type { SettlementMessage, SubmissionMessage, ValidationMessage } from '../submission-message.ts';
import { batchCounters } from './batch-counters.ts';
import type { Connection } from './connection.ts';
import { knownKeys } from './known-keys.ts';
import { type RateWindow, rateWindows } from './rate-window.ts';
import { remembered } from './remembered.ts';
import type { Sighting } from './sighting.ts';
import { validationLog } from './validation-log.ts';

type Outcome = 'rate-limited' | 'quota-exceeded' | 'admitted';
type Counts = ReturnType<ReturnType<typeof batchCounters>['begin']>;

/** An admitted validation, which is to be remembered and logged. */
interface Admitted {
  readonly at: number;
  readonly submission: SubmissionMessage;
  readonly validation: ValidationMessage;
}

/**
 * Settles a batch in order, inside a transaction that holds the write lock. First each request is counted, then
 * those that are admitted are remembered and logged: counting needs no history. Whatever the batch needs is read
 * once and written once, and each request is judged on what the ones before it left.
 */
export function settleBatch(connection: Connection) {
  const openWindow = rateWindows(connection);
  const remember = remembered(connection);
  const keys = knownKeys(connection);
  const counters = batchCounters(connection);
  const log = validationLog(connection);
  const noteUse = connection.prepare('UPDATE api_key SET last_used_at = ? WHERE project_id = ? AND id = ?');

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

  /** Counts one request; the answer’s history is still to come. */
  const count = (submission: SubmissionMessage, window: RateWindow, counts: Counts): Answer => {
    const { project, month, now, rateLimit } = submission;
    const answer = (outcome: Outcome): Answer => [
      outcome,
      window.total(),
      resetSecond(window.total(), window.latestAt(), now),
      window.retryAfter(now, rateLimit),
      counts.quotaUsed(project, month),
      null,
    ];
    if (submission.countRate === 0) window.settleTo(now);
    else if (!window.admit(now, rateLimit)) {
      countUsage(counts, submission, 'rate-limited');
      return answer('rate-limited');
    }
    if (submission.validation === null || submission.live === 0) return answer('admitted');
    if (counts.quotaUsed(project, month) >= submission.quotaLimit) {
      countUsage(counts, submission, 'quota-exceeded');
      return answer('quota-exceeded');
    }
    counts.useQuota(project, month);
    return answer('admitted');
  };

  /** Remembers and logs what was admitted; answers what was known of each before. */
  const record = (admitted: readonly Admitted[], counts: Counts): PackedHistory[] => {
    const rows = log.begin();
    const histories = remember(admitted.map(sightingOf)).map((history, at) => {
      const { submission, validation } = admitted[at] as Admitted;
      counts.addLogRow(submission.project);
      countUsage(counts, submission, rows.add(submission.project, validation, history));
      return packHistory(history);
    });
    rows.save();
    return histories;
  };

  const settleAll = (batch: readonly SubmissionMessage[], dataVersion: number): SettlementMessage[] => {
    const windows = new Map<string, RateWindow>();
    const counts = counters.begin();
    keys.refresh(dataVersion);
    const windowOf = ({ project, lane }: SubmissionMessage): RateWindow => {
      const name = `${lane} ${project}`;
      let window = windows.get(name);
      if (!window) {
        window = openWindow(project, lane);
        windows.set(name, window);
      }
      return window;
    };

    const admitted: Admitted[] = [];
    const answers = batch.map((submission, at) => {
      if (!confirm(submission)) return null;
      const answer = count(submission, windowOf(submission), counts);
      const { validation } = submission;
      if (validation !== null && answer[0] === 'admitted') admitted.push({ at, submission, validation });
      return answer;
    });
    for (const [index, history] of record(admitted, counts).entries()) {
      const answer = answers[admitted[index]?.at ?? -1];
      if (answer) answer[5] = history;
    }
    for (const window of windows.values()) window.save();
    counts.save();
    return answers;
  };

  return { settleAll, forgetKeys: keys.clear };
}

type Answer = [
  outcome: Outcome,
  total: number,
  resetAt: number,
  retryAfter: number,
  quotaUsed: number,
  history: PackedHistory | null,
];

function countUsage(
  counts: Counts,
  { project, now, live }: SubmissionMessage,
  kind: UsageHour['kind'],
): void {
  if (live === 1) counts.addUsage(project, Math.floor(now / HOUR_MS) * HOUR_MS, kind);
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
    now: submission.now,
    cutoff: submission.now - validation.retentionMs,
    keep: submission.live === 1,
  };
}
