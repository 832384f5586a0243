import type { PackedHistory } from '../packed-history.ts';
import { resetSecond, secondsUntilLeft, WINDOW_MS } from '../rate-rules.ts';
import type { SettlementMessage, SubmissionMessage } from '../submission-message.ts';
import type { TimedId } from '../timed-id.ts';
import type { Connections } from './connections.ts';
import { type Batch, encodeBatch } from './encode-batch.ts';
import { answerLost, databaseUnavailable } from './explain-failure.ts';

/**
 * What was counted before the run, the first place in the run at which the quota was used up, and the first place at
 * which the rate limit was reached. `null` for a run whose key or project changed.
 */
type RunState = readonly [total: number, used: number, quotaEndsAt: number, rateEndsAt: number] | null;
/** When the lane’s latest request came, and when one more will be admitted if none would be now. */
type LaneState = readonly [latestAt: number, leavingAt: number | null];
type Answer = readonly [
  runs: readonly RunState[],
  lanes: readonly LaneState[],
  histories: readonly (readonly [order: number, history: PackedHistory])[],
  refusedVisitors: readonly (readonly [order: number, lane: number])[],
  needsFlush: 0 | 1,
];

export type SettleCall = (
  project: string,
  batch: string,
  messages: readonly SubmissionMessage[],
) => Promise<SettlementMessage[]>;

const SETTLE = 'SELECT postern_settle_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS answer';

/** Sends requests of one project as one statement; see migrations/0002-settle.ts. */
export function settleCall(connections: Connections, timedId: TimedId): SettleCall {
  return async (project, id, messages) => {
    const [first] = messages;
    if (!first) throw new Error('A batch has at least one submission');
    const batch = encodeBatch(messages);
    const [row] = await connections.hot(SETTLE, [
      project,
      id,
      first.month,
      batch.now,
      batch.now - batch.retentionMs,
      batch.lanes,
      batch.rates,
      batch.runsText,
      batch.wavesText,
      timedId(batch.now),
    ]);
    // No answer: there is no such project, or it is archived.
    if (typeof row?.answer !== 'string') return messages.map(() => null);
    const answer = JSON.parse(row.answer) as Answer;
    if (answer[4] === 1) await flush(connections, project, id);
    return toSettlements(answer, batch, messages);
  };
}

/** Waits until a batch that is already visible to others is also on disk. Before that nobody is answered. */
async function flush(connections: Connections, project: string, id: string): Promise<void> {
  try {
    const [row] = await connections.hot('SELECT postern_flush_1($1, $2)::INT AS there', [project, id]);
    if (row?.there !== 1) throw databaseUnavailable('batch-lost');
  } catch (error) {
    throw answerLost(error);
  }
}

function toSettlements(
  [runs, lanes, histories, refusedVisitors]: Answer,
  batch: Batch,
  messages: readonly SubmissionMessage[],
): SettlementMessage[] {
  const historyOf: (PackedHistory | undefined)[] = new Array(messages.length);
  for (const [order, history] of histories) historyOf[order] = history;
  const refusedBy = new Map(refusedVisitors);
  const settlements: SettlementMessage[] = [];
  batch.runs.forEach((run, index) => {
    const state = runs[index];
    const lane = lanes[run.lane];
    let total = state?.[0] ?? 0;
    let used = state?.[1] ?? 0;
    for (let place = 0; place < run.size; place += 1) {
      const order = settlements.length;
      const message = messages[order];
      if (!state || !lane || !message) {
        settlements.push(null);
        continue;
      }
      const [, , quotaEndsAt, rateEndsAt] = state;
      const refusingLane = refusedBy.get(order);
      if (refusingLane !== undefined) {
        const limit = batch.rates[refusingLane] ?? 0;
        const visitor = lanes[refusingLane] ?? lane;
        settlements.push(answerOf('visitor-limited', message.now, limit, visitor, limit, used));
        continue;
      }
      if (run.sample.countRate === 1 && place < rateEndsAt) total += 1;
      if (run.sample.validation && run.sample.live === 1 && place < quotaEndsAt) used += 1;
      let result: Result = 'admitted';
      if (place >= quotaEndsAt) result = place < rateEndsAt ? 'quota-exceeded' : 'rate-limited';
      settlements.push(answerOf(result, message.now, message.rateLimit, lane, total, used, historyOf[order]));
    }
  });
  return settlements;
}

type Result = NonNullable<SettlementMessage>[0];

function answerOf(
  result: Result,
  now: number,
  limit: number,
  [latestAt, leavingAt]: LaneState,
  total: number,
  used: number,
  history?: PackedHistory,
): SettlementMessage {
  let retryAfter = 0;
  if (limit <= 0) retryAfter = WINDOW_MS / 1_000;
  else if (total >= limit) retryAfter = secondsUntilLeft(leavingAt ?? now, now);
  return [result, total, resetSecond(total, latestAt, now), retryAfter, used, history ?? null];
}
