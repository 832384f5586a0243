import type { History } from '../../model/history.ts';
import { type PackedHistory, packHistory } from '../packed-history.ts';
import { KEY_USE_NOTED_EVERY_MS, resetSecond } from '../rate-rules.ts';
import type { SettlementMessage, SubmissionMessage, ValidationMessage } from '../submission-message.ts';
import type { RefusalKind } from '../tables/log-table.ts';
import { batchQuotas } from './batch-quotas.ts';
import type { RowKey } from './batch-rows.ts';
import { batchStatistics } from './batch-statistics.ts';
import type { Connection } from './connection.ts';
import { deviceRows, type Sighting } from './device-rows.ts';
import { inboxRows } from './inbox-rows.ts';
import { rateWindows } from './rate-window.ts';
import { validationLog } from './validation-log.ts';
import { createCache } from './value-cache.ts';

/** After how many requests the caches are dropped, so that projects and keys that are no longer used leave them. */
const MAX_CACHED_REQUESTS = 8_192;

type Result = 'visitor-limited' | 'rate-limited' | 'quota-exceeded' | 'admitted';

type Answer = [
  result: Result,
  total: number,
  resetAt: number,
  retryAfter: number,
  quotaUsed: number,
  history: PackedHistory | null,
];

/** An admitted validation, still to be remembered and logged. */
interface Admitted {
  readonly answer: Answer;
  readonly submission: SubmissionMessage;
  readonly validation: ValidationMessage;
}

/**
 * Settles a batch in order, inside a transaction that holds the write lock. First every request is counted, then the
 * admitted ones are remembered and logged: counting needs no history. What the batch needs is read and written
 * together, and each request is judged by what the ones before it left.
 *
 * Keys, quotas and the projects’ windows are cached from batch to batch, as long as SQLite says that no other connection
 * wrote. `clearCaches` is for this connection’s other writes and for batches that failed.
 */
export function settleBatch(connection: Connection) {
  const keys = keyVersions(connection);
  const windows = rateWindows(connection);
  const quotas = batchQuotas(connection);
  const memory = batchHistory(connection);
  const log = validationLog(connection);
  const statistics = batchStatistics(connection);
  const noteUse = connection.prepare('UPDATE api_key SET last_used_at = ? WHERE project_id = ? AND id = ?');
  let seenVersion = -1;
  let cachedRequests = 0;

  const clearCaches = () => {
    for (const part of [keys, windows, quotas, memory, log, statistics]) part.clear();
    cachedRequests = 0;
  };

  const confirm = (submission: SubmissionMessage): boolean => {
    const key = keys.get(submission.project, submission.key);
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

  const countRefusal = ({ project, now, live }: SubmissionMessage, kind: RefusalKind) => {
    if (live === 1) statistics.add(project, now, `1 ${kind}`);
  };

  /** Counts one request. The history is added to the answer later. */
  const count = (submission: SubmissionMessage): Answer => {
    const { project, month, now, rateLimit } = submission;
    const window = windows.of(project, submission.lane);
    const answer = (result: Result, applied = window, limit = rateLimit): Answer => [
      result,
      applied.total(),
      resetSecond(applied.total(), applied.latestAt(), now),
      applied.retryAfter(now, limit),
      quotas.used(project, month),
      null,
    ];
    if (submission.countRate === 0) window.advanceTo(now);
    else {
      for (const [lane, limit] of submission.visitors) {
        const visitor = windows.ofVisitor(project, lane);
        if (visitor.hasRoom(now, limit)) continue;
        countRefusal(submission, 'rate-limited');
        const refused = answer('visitor-limited', visitor, limit);
        refused[1] = limit;
        return refused;
      }
      if (!window.admit(now, rateLimit)) {
        countRefusal(submission, 'rate-limited');
        return answer('rate-limited');
      }
      for (const [lane, limit] of submission.visitors) windows.ofVisitor(project, lane).admit(now, limit);
    }
    if (submission.validation === null || submission.live === 0) return answer('admitted');
    if (quotas.used(project, month) >= submission.quotaLimit) {
      countRefusal(submission, 'quota-exceeded');
      return answer('quota-exceeded');
    }
    quotas.use(project, month);
    return answer('admitted');
  };

  const record = (admitted: readonly Admitted[]) => {
    const histories = memory.seeAll(admitted.map(sightingOf));
    for (const [index, { answer, submission, validation }] of admitted.entries()) {
      const history = histories[index];
      if (!history) throw new Error('A validation was not remembered');
      const packed = packHistory(history);
      answer[5] = packed;
      const line = log.add(submission, validation, history, packed);
      if (submission.live === 1) statistics.add(submission.project, submission.now, line);
    }
  };

  const settleAll = (batch: readonly SubmissionMessage[], dataVersion: number): SettlementMessage[] => {
    if (dataVersion !== seenVersion || cachedRequests > MAX_CACHED_REQUESTS) clearCaches();
    seenVersion = dataVersion;
    cachedRequests += batch.length;
    const admitted: Admitted[] = [];
    const answers = batch.map((submission) => {
      if (!confirm(submission)) return null;
      const answer = count(submission);
      const { validation } = submission;
      if (validation !== null && answer[0] === 'admitted') admitted.push({ answer, submission, validation });
      return answer;
    });
    record(admitted);
    for (const part of [windows, quotas, memory, log, statistics]) part.save();
    return answers;
  };

  return { settleAll, clearCaches };
}

function sightingOf({ submission, validation }: Admitted): Sighting {
  return {
    projectId: submission.project,
    inbox: validation.inbox,
    spelling: validation.spelling,
    isClaim: validation.isClaim === 1,
    claimNetwork: validation.claimNetwork,
    confirmedOnly: validation.confirmedOnly === 1,
    device: validation.device,
    network: validation.network,
    threshold: validation.threshold,
    commonNetworks: validation.commonNetworks,
    flagClaims: validation.flagClaims === 1,
    mistyped: validation.mistyped,
    recommendations: validation.recommendations,
    // A repeated request was seen when it was first sent. So every sighting has a log row of its time, by which the sweep
    // finds it.
    now: validation.log[1],
    cutoff: submission.now - validation.retentionMs,
    keep: submission.live === 1,
  };
}

interface KeyVersions {
  readonly keyVersion: number;
  readonly projectVersion: number;
  lastUsedAt: number | null;
}

/** The versions of live keys of live projects. */
function keyVersions(connection: Connection) {
  const versions = connection
    .prepare(
      `SELECT k.version, p.version, k.last_used_at FROM api_key k JOIN project p ON p.id = k.project_id
       WHERE k.project_id = ? AND k.id = ? AND k.revoked_at IS NULL AND p.archived_at IS NULL`,
    )
    .raw(true);
  return createCache((project, key): KeyVersions | undefined => {
    const row = versions.get([project, key]) as readonly [number, number, number | null] | undefined;
    return row && { keyVersion: row[0], projectVersion: row[1], lastUsedAt: row[2] };
  });
}

/** The inboxes and devices of a batch. Each sighting sees what those before it left. */
function batchHistory(connection: Connection) {
  const inboxes = inboxRows(connection);
  const devices = deviceRows(connection);

  const load = (sightings: readonly Sighting[]) => {
    const wantedDevices: RowKey[] = [];
    for (const { projectId, device } of sightings) {
      if (device !== null) wantedDevices.push([projectId, device]);
    }
    devices.load(wantedDevices);
    inboxes.load(sightings.map(({ projectId, inbox }) => [projectId, inbox]));
  };

  return {
    seeAll(sightings: readonly Sighting[]): History[] {
      load(sightings);
      return sightings.map((sighting) => {
        const inboxReused = inboxes.see(sighting);
        const device = sighting.device === null ? null : devices.see(sighting, sighting.device, inboxReused);
        return { device, inboxReused };
      });
    },
    save(): void {
      inboxes.save();
      devices.save();
    },
    clear(): void {
      inboxes.clear();
      devices.clear();
    },
  };
}
