import type { History } from '../../model/history.ts';
import { historyMarks, packHistory } from '../log-record.ts';
import { HOUR_MS, KEY_USE_NOTED_EVERY_MS, resetSecond } from '../rate-rules.ts';
import type { UsageHour } from '../store.ts';
import type { SettlementMessage, SubmissionMessage, ValidationMessage } from '../submission-message.ts';
import { batchCounters } from './batch-counters.ts';
import type { Connection } from './connection.ts';
import { knownKeys } from './known-keys.ts';
import { type RateWindow, rateWindows } from './rate-window.ts';
import { remembered } from './remembered.ts';
import type { Sighting } from './sighting.ts';

function sightingOf(submission: SubmissionMessage, validation: ValidationMessage): Sighting {
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

/**
 * Settles a batch in order, inside a transaction that holds the write lock. Counters are read once and written
 * once a batch; each request is judged on what the ones before it left.
 */
export function settleBatch(connection: Connection) {
  const openWindow = rateWindows(connection);
  const remember = remembered(connection);
  const keys = knownKeys(connection);
  const counters = batchCounters(connection);
  const noteUse = connection.prepare('UPDATE api_key SET last_used_at = ? WHERE project_id = ? AND id = ?');
  const appendLog = connection.prepare(
    'INSERT INTO validation_log (project_id, id, recommendation, marks, history, facts) VALUES (?, ?, ?, ?, ?, ?)',
  );

  const settleAll = (batch: readonly SubmissionMessage[]): SettlementMessage[] => {
    const windows = new Map<string, RateWindow>();
    const counts = counters.begin();
    keys.refresh();

    const windowOf = ({ project, lane }: SubmissionMessage): RateWindow => {
      const name = `${lane} ${project}`;
      let window = windows.get(name);
      if (!window) {
        window = openWindow(project, lane);
        windows.set(name, window);
      }
      return window;
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

    const record = (submission: SubmissionMessage, validation: ValidationMessage): History => {
      const { project } = submission;
      const history = remember(sightingOf(submission, validation));
      const index = (history.device?.overThreshold ? 2 : 0) + (history.inboxReused ? 1 : 0);
      const recommendation = validation.outcomes[index] ?? 'allow';
      const marks =
        validation.marks + historyMarks(history, validation.aliasRuns === 1, validation.deviceRuns === 1);
      appendLog.run([
        project,
        validation.logId,
        recommendation,
        marks,
        JSON.stringify(packHistory(history)),
        validation.facts,
      ]);
      counts.addLogRow(project);
      countUsage(submission, recommendation);
      return history;
    };

    const settle = (submission: SubmissionMessage): SettlementMessage => {
      const { project, month, now, rateLimit, validation } = submission;
      if (!confirm(submission)) return null;
      const window = windowOf(submission);
      const answer = (outcome: 'rate-limited' | 'quota-exceeded' | 'admitted', history: History | null) =>
        [
          outcome,
          window.total(),
          resetSecond(window.total(), window.latestAt(), now),
          window.retryAfter(now, rateLimit),
          counts.quotaUsed(project, month),
          history && packHistory(history),
        ] as const;

      if (submission.countRate === 0) window.settleTo(now);
      else if (!window.admit(now, rateLimit)) {
        countUsage(submission, 'rate-limited');
        return answer('rate-limited', null);
      }
      if (validation === null) return answer('admitted', null);
      if (submission.live === 1) {
        if (counts.quotaUsed(project, month) >= submission.quotaLimit) {
          countUsage(submission, 'quota-exceeded');
          return answer('quota-exceeded', null);
        }
        counts.useQuota(project, month);
      }
      return answer('admitted', record(submission, validation));
    };

    const settlements = batch.map(settle);
    for (const window of windows.values()) window.save();
    counts.save();
    return settlements;
  };

  return { settleAll, forgetKeys: keys.clear };
}
