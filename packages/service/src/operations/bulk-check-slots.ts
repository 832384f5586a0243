import { Refused } from './operation.ts';

/** Limits how many files are checked at the same time, so that they stay a small part of the process’s work. */
export interface BulkCheckSlots {
  /** Throws Refused if the member already has a run, or the process has too many. */
  acquire(memberId: string, endsAt: number, now: number): BulkCheckSlot;
  /** Ends all runs, because the server waits for every answer to end. */
  close(): void;
}

export interface BulkCheckSlot {
  mustStop(now: number): boolean;
  isReleased(): boolean;
  release(): void;
}

const MAX_RUNS = 2;
const RETRY_SECONDS = 30;

export function createBulkCheckSlots(): BulkCheckSlots {
  /** The end of each member’s run. Whatever became of its stream, the slot is free from then on. */
  const running = new Map<string, number>();
  let closed = false;
  return {
    acquire(memberId, endsAt, startedAt) {
      for (const [member, end] of running) if (end <= startedAt) running.delete(member);
      const retry = { retryAfter: RETRY_SECONDS };
      if (running.has(memberId))
        throw new Refused(
          429,
          'You are already checking a file. Wait until it is done, or cancel it.',
          retry,
        );
      if (running.size >= MAX_RUNS)
        throw new Refused(503, 'Other members are checking files right now. Try again in a minute.', retry);
      running.set(memberId, endsAt);
      let released = false;
      return {
        mustStop: (now) => closed || released || now >= endsAt,
        isReleased: () => released,
        release: () => {
          if (!released && running.get(memberId) === endsAt) running.delete(memberId);
          released = true;
        },
      };
    },
    close() {
      closed = true;
    },
  };
}
