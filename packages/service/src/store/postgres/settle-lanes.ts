import { patience, tooLong } from '../deadline.ts';
import { consumedQuota, type SettlementMessage, type SubmissionMessage } from '../submission-message.ts';
import type { BatchReversal } from './batch-reversal.ts';
import { AnswerLost } from './connections.ts';
import type { SettleCall } from './settle-call.ts';

const BATCH_SIZE = 512;

interface Waiting {
  readonly message: SubmissionMessage;
  /** Ends the watch over how long it takes. */
  readonly done: () => void;
  readonly resolve: (settlement: SettlementMessage) => void;
  readonly reject: (error: Error) => void;
  /** Told that it takes too long; if it was counted all the same, its quota goes back. */
  gaveUp: boolean;
}

interface Lane {
  readonly waiting: Waiting[];
  running: Promise<void> | undefined;
}

export interface SettleLanes {
  settle(message: SubmissionMessage, patienceMs?: number): Promise<SettlementMessage>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

/**
 * One lane a project, one batch at a time in each: what arrives while a batch is under way forms the next one.
 * More than one would only wait for the project’s row in the database.
 */
export function settleLanes(call: SettleCall, withdrawals: BatchReversal): SettleLanes {
  /** A lane stays when it is idle: a map whose entries come and go makes the garbage collector keep what they held. */
  const lanes = new Map<string, Lane>();
  const patient = patience();

  const settle = (message: SubmissionMessage, patienceMs?: number) =>
    new Promise<SettlementMessage>((resolve, reject) => {
      const done = patient(() => {
        waiting.gaveUp = true;
        reject(tooLong());
      }, patienceMs);
      const waiting: Waiting = { message, done, resolve, reject, gaveUp: false };
      const lane = laneOf(message.project);
      lane.waiting.push(waiting);
      lane.running ??= runLane(message.project, lane);
    });

  function laneOf(project: string): Lane {
    let lane = lanes.get(project);
    if (!lane) {
      lane = { waiting: [], running: undefined };
      lanes.set(project, lane);
    }
    return lane;
  }

  async function runLane(project: string, lane: Lane): Promise<void> {
    // The rest of this turn of the event loop still joins the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    for (let batch = nextBatch(lane.waiting); batch.length > 0; batch = nextBatch(lane.waiting)) {
      await runBatch(project, batch);
    }
    lane.running = undefined;
  }

  async function runBatch(project: string, batch: readonly Waiting[]): Promise<void> {
    const messages = batch.map((waiting) => waiting.message);
    const [first] = messages;
    const id = withdrawals.nextBatch();
    try {
      const settlements = await call(project, id, messages);
      let unseen = 0;
      batch.forEach((waiting, index) => {
        const settlement = settlements[index] ?? null;
        if (waiting.gaveUp && consumedQuota(waiting.message, settlement)) unseen += 1;
        finish(waiting, () => waiting.resolve(settlement));
      });
      if (first && unseen > 0) withdrawals.giveBack(project, first.month, unseen, first.now);
    } catch (error) {
      if (error instanceof AnswerLost && first) withdrawals.withdraw(project, id, first.month, first.now);
      const reason = error instanceof Error ? error : new Error(String(error));
      for (const waiting of batch) finish(waiting, () => waiting.reject(reason));
    }
  }

  function finish(waiting: Waiting, tell: () => void): void {
    waiting.done();
    if (!waiting.gaveUp) tell();
  }

  /** Takes the first that may travel together; those that gave up before they were sent do not travel. */
  function nextBatch(waitingInLane: Waiting[]): Waiting[] {
    const batch: Waiting[] = [];
    const mayJoin = canShareBatch();
    let taken = 0;
    for (const waiting of waitingInLane) {
      if (!waiting.gaveUp) {
        if (batch.length >= BATCH_SIZE || !mayJoin(waiting.message)) break;
        batch.push(waiting);
      }
      taken += 1;
    }
    waitingInLane.splice(0, taken);
    return batch;
  }

  return {
    settle,
    async idle() {
      for (;;) {
        const running = [...lanes.values()].flatMap((lane) => lane.running ?? []);
        if (running.length === 0) return;
        await Promise.all(running);
      }
    },
  };
}

/** Who may travel with those before: the database judges a batch by one time, month, quota and retention. */
function canShareBatch(): (message: SubmissionMessage) => boolean {
  const rates = new Map<string, number>();
  let first: SubmissionMessage | undefined;
  let retentionMs: number | undefined;
  return (message) => {
    first ??= message;
    const retention = message.validation?.retentionMs ?? retentionMs;
    const together =
      Math.floor(message.now / 1_000) === Math.floor(first.now / 1_000) &&
      message.month === first.month &&
      message.quotaLimit === first.quotaLimit &&
      (rates.get(message.lane) ?? message.rateLimit) === message.rateLimit &&
      (retentionMs ?? retention) === retention;
    if (!together) return false;
    rates.set(message.lane, message.rateLimit);
    retentionMs = retention;
    return true;
  };
}
