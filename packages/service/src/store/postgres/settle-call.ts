import type { PackedHistory } from '../log-record.ts';
import { resetSecond, secondsUntilLeft, WINDOW_MS } from '../rate-rules.ts';
import type { SettlementMessage, SubmissionMessage } from '../submission-message.ts';
import type { Connections } from './connections.ts';
import { type Batch, batchOf, type Run } from './settle-batch.ts';

/** `null` for a run whose key or project changed. */
type RunState = readonly [total: number, used: number, admitted: number, exceeded: number] | null;
/** When the lane’s latest request came, and when one more will be admitted if none would be now. */
type LaneState = readonly [latestAt: number, leavingAt: number | null];
type Answer = readonly [
  runs: readonly RunState[],
  lanes: readonly LaneState[],
  histories: readonly (readonly [order: number, history: PackedHistory])[],
];

export type SettleCall = (
  project: string,
  batch: string,
  messages: readonly SubmissionMessage[],
) => Promise<SettlementMessage[]>;

const SETTLE = 'SELECT postern_settle_3($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS answer';

/** Sends requests of one project as one statement; see migrations/0003-settle-in-waves.ts and 0004-blocked-sightings.ts. */
export function settleCall(connections: Connections): SettleCall {
  return async (project, id, messages) => {
    const [first] = messages;
    if (!first) throw new Error('A batch has at least one submission');
    const batch = batchOf(messages);
    const [row] = await connections.hot(SETTLE, [
      project,
      id,
      first.month,
      batch.now,
      first.quotaLimit,
      batch.now - batch.retentionMs,
      batch.lanes,
      batch.rates,
      batch.runsText,
      batch.wavesText,
    ]);
    // No answer: there is no such project, or it is archived.
    if (typeof row?.answer !== 'string') return messages.map(() => null);
    return toSettlements(JSON.parse(row.answer) as Answer, batch, messages);
  };
}

function toSettlements(
  [runs, lanes, histories]: Answer,
  batch: Batch,
  messages: readonly SubmissionMessage[],
): SettlementMessage[] {
  const historyOf: (PackedHistory | undefined)[] = new Array(messages.length);
  for (const [order, history] of histories) historyOf[order] = history;
  const settlements: SettlementMessage[] = [];
  batch.runs.forEach((run, index) => {
    const state = runs[index];
    const lane = lanes[run.lane];
    for (let place = 0; place < run.size; place += 1) {
      const order = settlements.length;
      const now = messages[order]?.now ?? batch.now;
      settlements.push(state && lane ? settlementOf(run, place, now, state, lane, historyOf[order]) : null);
    }
  });
  return settlements;
}

/** What the request at that place of its run is told. */
function settlementOf(
  { like }: Run,
  place: number,
  now: number,
  [totalBefore, usedBefore, admitted, exceeded]: NonNullable<RunState>,
  [latestAt, leavingAt]: LaneState,
  history: PackedHistory | undefined,
): SettlementMessage {
  const total = totalBefore + (like.countRate === 1 ? Math.min(place + 1, admitted + exceeded) : 0);
  const used = usedBefore + (like.validation && like.live === 1 ? Math.min(place + 1, admitted) : 0);
  let outcome: NonNullable<SettlementMessage>[0] = 'admitted';
  if (place >= admitted) outcome = place < admitted + exceeded ? 'quota-exceeded' : 'rate-limited';
  let retryAfter = 0;
  if (like.rateLimit <= 0) retryAfter = WINDOW_MS / 1_000;
  else if (total >= like.rateLimit) retryAfter = secondsUntilLeft(leavingAt ?? now, now);
  return [outcome, total, resetSecond(total, latestAt, now), retryAfter, used, history ?? null];
}
