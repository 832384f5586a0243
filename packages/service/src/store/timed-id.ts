import { randomBytes } from 'node:crypto';

/** An ID that sorts by its time, needs no sequence and does not collide with those of other processes. */
export type TimedId = (at: number) => string;

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
const TIME_LENGTH = 9;
const COUNTER_LENGTH = 5;
const COUNTER_SIZE = 36 ** COUNTER_LENGTH;
const ORIGIN_LENGTH = 10;

let prefixTime = -1;
let prefixText = '';

/** The first characters of every ID made at that time. Many are made within one millisecond. */
export function timePrefix(at: number): string {
  const time = Math.max(0, Math.floor(at));
  if (time !== prefixTime) {
    prefixTime = time;
    prefixText = time.toString(36).padStart(TIME_LENGTH, '0');
  }
  return prefixText;
}

/** The same in SQL, of an expression that is a time and not negative. */
export function timePrefixSql(at: string): string {
  const digits = Array.from({ length: TIME_LENGTH }, (_, index) => {
    const unit = 36 ** (TIME_LENGTH - 1 - index);
    return `substr('${DIGITS}', CAST((${at}) / ${unit} % 36 AS INTEGER) + 1, 1)`;
  });
  return `(${digits.join(' || ')})`;
}

export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, TIME_LENGTH), 36);
}

/** The counter keeps the order of what one process made in one millisecond. */
export function timedIds(origin: string = randomOrigin()): TimedId {
  let counter = 0;
  return (at) => {
    counter = (counter + 1) % COUNTER_SIZE;
    return timePrefix(at) + counter.toString(36).padStart(COUNTER_LENGTH, '0') + origin;
  };
}

function randomOrigin(): string {
  return randomBytes(6).readUIntBE(0, 6).toString(36).padStart(ORIGIN_LENGTH, '0');
}
