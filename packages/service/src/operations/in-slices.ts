import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidInput } from './administration.ts';

/** Requests wait at most this long for a replay, plus the time of one row. */
const SLICE_MS = 5;
/** As long as a slice, so that all replays together leave the requests half of the time. */
const PAUSE_MS = 5;
/** The most computing time of one replay. 20,000 rows with ordinary rules take about two seconds. */
const MOST_MS = 10_000;

export interface SliceTimes {
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Milliseconds of computing time, which stand still while a busy machine does something else. */
  readonly computed: () => number;
  readonly pause: () => Promise<unknown>;
}

/** The replays of this process take turns. */
let lastTurn: Promise<unknown> = Promise.resolve();

const REAL: SliceTimes = {
  now: () => performance.now(),
  computed: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  pause: () => {
    lastTurn = lastTurn.then(() => sleep(PAUSE_MS));
    return lastTurn;
  },
};

/**
 * Works on rows in slices of a few milliseconds, because anybody who may read can start a replay, and rules that are
 * slow would hold up every request meanwhile. One that takes too long altogether is refused.
 */
export function createSlices({ now, computed, pause }: SliceTimes = REAL) {
  let spent = 0;
  return async <Row>(rows: Iterable<Row>, work: (row: Row) => void): Promise<void> => {
    let [began, computedBefore] = [now(), computed()];
    const endSlice = () => {
      spent += computed() - computedBefore;
      if (spent > MOST_MS) throw tooLong();
    };
    for (const row of rows) {
      if (now() - began >= SLICE_MS) {
        endSlice();
        await pause();
        [began, computedBefore] = [now(), computed()];
      }
      work(row);
    }
    endSlice();
  };
}

const tooLong = () =>
  new InvalidInput(
    'days',
    `This takes more than ${MOST_MS / 1000} seconds of computing time. Choose fewer days, or make the conditions simpler.`,
  );
