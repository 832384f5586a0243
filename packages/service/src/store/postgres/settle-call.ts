import type { PackedHistory } from '../log-record.ts';
import { resetSecond, secondsUntilLeft, WINDOW_MS } from '../rate-rules.ts';
import type { SettlementMessage, SubmissionMessage } from '../submission-message.ts';
import type { Connections } from './connections.ts';

type Outcome = 'rate-limited' | 'quota-exceeded' | 'admitted';
type JudgedRow = readonly [order: number, outcome: Outcome, total: number, used: number];
type HistoryRow = readonly [order: number, history: PackedHistory];
type LaneState = readonly [lane: string, latestAt: number, oldestLastAt: number | null];

export interface BatchAnswer {
  readonly rows: readonly JudgedRow[];
  readonly histories: readonly HistoryRow[];
  readonly lanes: readonly LaneState[];
  /** When so many requests of a lane will have left. */
  readonly leaving: (lane: string, wanted: number) => Promise<number>;
}

export type SettleCall = (
  project: string,
  batch: string,
  messages: readonly SubmissionMessage[],
) => Promise<BatchAnswer>;

const SETTLE = 'SELECT postern_settle_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)::TEXT AS answer';

/** Sends a batch of one project as one statement; see migrations/0002-settle.ts. */
export function settleCall(connections: Connections): SettleCall {
  return async (project, batch, messages) => {
    const [first] = messages;
    if (!first) throw new Error('A batch has at least one submission');
    const now = messages.reduce((latest, message) => Math.max(latest, message.now), first.now);
    const retention = messages.find((message) => message.validation)?.validation?.retentionMs ?? 0;
    const devices = new Set(messages.flatMap(({ validation }) => validation?.device ?? []));
    const [row] = await connections.hot(SETTLE, [
      project,
      batch,
      first.month,
      now,
      first.quotaLimit,
      now - retention,
      [...new Set(messages.map((message) => message.lane))],
      [...devices],
      JSON.stringify(messages.map(({ validation }) => validation?.marks ?? null)),
      JSON.stringify(messages.map(({ validation }) => validation?.facts ?? null)),
      `[${messages.map(toRow).join(',')}]`,
    ]);
    const [rows, histories, lanes] = parse(row?.answer);
    return {
      rows: rows ?? [],
      histories: histories ?? [],
      lanes: lanes ?? [],
      leaving: async (lane, wanted) => {
        // The batch is counted; not to know when to come again is no reason to refuse it.
        const found = await connections
          .hot('SELECT postern_leaving_1($1, $2, $3) AS at', [project, lane, wanted])
          .catch(() => []);
        return Number(found[0]?.at ?? now);
      },
    };
  };
}

type Answer = [JudgedRow[] | null, HistoryRow[] | null, LaneState[] | null];

/** No answer at all: there is no such project, or it is archived. */
function parse(answer: unknown): Answer {
  return typeof answer === 'string' ? (JSON.parse(answer) as Answer) : [null, null, null];
}

/** Written by hand: objects made only to be serialised cost more than all the rest of a submission. */
function toRow(message: SubmissionMessage, index: number): string {
  const { validation } = message;
  const row = `{"o":${index},"key":${quoted(message.key)},"kv":${message.keyVersion},"pv":${message.projectVersion},"lane":"${message.lane}","live":${message.live},"now":${message.now},"rate":${message.rateLimit},"counts":${message.countRate}`;
  if (validation === null) return `${row},"valid":0}`;
  const { outcomes, aliasRuns, deviceRuns, threshold, commonNetworks } = validation;
  const memory = `"inbox":${quoted(validation.inbox)},"spelling":${quoted(validation.spelling)},"device":${quoted(validation.device)},"network":${quoted(validation.network)},"threshold":${threshold},"common":${commonNetworks}`;
  const log = `"log":"${validation.logId}","outcomes":"${outcomes.join(',')}","alias":${aliasRuns},"dev":${deviceRuns}`;
  return `${row},"valid":1,${memory},${log}}`;
}

function quoted(value: string | null): string {
  return JSON.stringify(value);
}

export async function toSettlements(
  answer: BatchAnswer,
  messages: readonly SubmissionMessage[],
): Promise<SettlementMessage[]> {
  const settlements: SettlementMessage[] = messages.map(() => null);
  const lanes = new Map(answer.lanes.map((state) => [state[0], state]));
  const leavingAt = new Map<string, number>();
  const histories = new Map(answer.histories);
  for (const [order, outcome, total, used] of answer.rows) {
    const message = messages[order];
    if (!message) continue;
    const { lane, now, rateLimit } = message;
    const [, latestAt, oldestLastAt] = lanes.get(lane) ?? [lane, now, null];
    const wanted = total - rateLimit + 1;
    let retryAfter = 0;
    if (rateLimit <= 0) retryAfter = WINDOW_MS / 1_000;
    else if (wanted >= 1) {
      let lastAt = wanted === 1 ? (oldestLastAt ?? now) : leavingAt.get(lane);
      lastAt ??= await answer.leaving(lane, wanted);
      leavingAt.set(lane, lastAt);
      retryAfter = secondsUntilLeft(lastAt, now);
    }
    settlements[order] = [
      outcome,
      total,
      resetSecond(total, latestAt, now),
      retryAfter,
      used,
      histories.get(order) ?? null,
    ];
  }
  return settlements;
}
