import type { SubmissionMessage, ValidationMessage } from '../submission-message.ts';
import { FIELD, REQUEST, SEPARATORS, STATE, WAVE } from './migrations/settle-fields.ts';

/** Consecutive requests that are counted the same way. The first ones of a run are admitted, the rest are not. */
interface Run {
  /** One of its requests. */
  readonly sample: SubmissionMessage;
  /** Which of the batch’s lanes, from 0. */
  readonly lane: number;
  /** The visitor’s lanes of each request, from 1, as text; empty if no request of the run has any. */
  readonly visitors: string[];
  size: number;
}

/** Requests of one project in the format of the database function; see migrations/0002-settle.ts. */
export interface Batch {
  readonly runs: readonly Run[];
  readonly lanes: readonly string[];
  readonly rates: readonly number[];
  /** The latest of the requests’ times, which are all of one second. */
  readonly now: number;
  readonly retentionMs: number;
  readonly runsText: string;
  readonly wavesText: string;
}

export function encodeBatch(messages: readonly SubmissionMessage[]): Batch {
  const runs: Run[] = [];
  const lanes: string[] = [];
  const rates: number[] = [];
  const lanePlaces = new Map<string, number>();
  const laneOf = (name: string, rate: number): number => {
    let lane = lanePlaces.get(name);
    if (lane === undefined) {
      lane = lanes.push(name) - 1;
      lanePlaces.set(name, lane);
      rates.push(rate);
    }
    return lane;
  };
  const waves = requestWaves();
  let run: Run | undefined;
  let now = 0;
  let retentionMs = 0;
  let order = 0;
  for (const message of messages) {
    if (!run || !countedAlike(run.sample, message)) {
      run = { sample: message, lane: laneOf(message.lane, message.rateLimit), visitors: [], size: 0 };
      runs.push(run);
    }
    const { validation } = message;
    if (validation) {
      // Each request’s run, counted from 1 as in SQL, and its place in the run. Both decide whether it is admitted.
      waves.add(
        validation,
        `${order}${FIELD}${runs.length}${FIELD}${run.size}${requestText(message, validation)}`,
      );
      retentionMs = validation.retentionMs;
    }
    if (message.visitors.length > 0 && message.countRate === 1) {
      run.visitors[run.size] = message.visitors.map(([name, limit]) => laneOf(name, limit) + 1).join('.');
    }
    if (message.now > now) now = message.now;
    run.size += 1;
    order += 1;
  }
  return {
    runs,
    lanes,
    rates,
    now,
    retentionMs,
    runsText: runs.map(runText).join(REQUEST),
    wavesText: waves.text(),
  };
}

function countedAlike(one: SubmissionMessage, other: SubmissionMessage): boolean {
  return (
    one.key === other.key &&
    one.keyVersion === other.keyVersion &&
    one.projectVersion === other.projectVersion &&
    one.lane === other.lane &&
    one.countRate === other.countRate &&
    one.quotaLimit === other.quotaLimit &&
    (one.validation === null) === (other.validation === null)
  );
}

function runText({ sample, lane, visitors, size }: Run): string {
  const fields = [
    sample.key,
    sample.keyVersion,
    sample.projectVersion,
    lane + 1,
    sample.live,
    sample.countRate,
    sample.validation ? 1 : 0,
    size,
    sample.quotaLimit,
    visitors.length === 0 ? '' : Array.from({ length: size }, (_, place) => visitors[place] ?? '').join(','),
  ];
  return fields.join(FIELD);
}

/** In the order of REQUEST_FIELDS. Templates, because an array made only to be joined costs twice as much. */
function requestText({ live, key }: SubmissionMessage, validation: ValidationMessage): string {
  const { inbox, spelling, device, network, threshold, commonNetworks, recommendations } = validation;
  const {
    isClaim,
    claimNetwork,
    confirmedOnly,
    flagClaims,
    mistyped,
    rules,
    lists,
    effects,
    words,
    details,
  } = validation;
  // A repeated request was seen when it was first sent. So every sighting has a log row of its time, by which the sweep
  // finds it.
  const [id, at, requestId, domain, shape, maskedIp, country, asn] = validation.log;
  const memory = `${FIELD}${live}${FIELD}${at}${FIELD}${key}${FIELD}${inbox}${FIELD}${spelling}${FIELD}${isClaim}${FIELD}${claimNetwork ?? ''}${FIELD}${confirmedOnly}${FIELD}${device ?? ''}${FIELD}${network ?? ''}${FIELD}${threshold}${FIELD}${commonNetworks}${FIELD}${flagClaims}${FIELD}${mistyped}${FIELD}${recommendations}`;
  const log = `${FIELD}${id}${FIELD}${at}${FIELD}${unseparated(requestId)}${FIELD}${domain}${FIELD}${shape ?? ''}${FIELD}${maskedIp ?? ''}${FIELD}${country ?? ''}${FIELD}${asn ?? ''}`;
  const matched = `${FIELD}${rules.map(unseparated).join(STATE)}${FIELD}${lists.map(unseparated).join(STATE)}`;
  return `${memory}${log}${matched}${FIELD}${unseparated(words)}${FIELD}${unseparated(details)}${FIELD}${effects.join(FIELD)}`;
}

/** A separator inside a text would shift everything after it, so every text that a caller has a part in is checked. */
function unseparated(text: string): string {
  return SEPARATORS.some((separator) => text.includes(separator))
    ? SEPARATORS.reduce((rest, separator) => rest.replaceAll(separator, ' '), text)
    : text;
}

/**
 * A request whose device or inbox is already in a wave goes to a later one, where it sees what the earlier one stored.
 */
function requestWaves() {
  const waves: string[][] = [];
  const nextOfDevice = new Map<string, number>();
  const nextOfInbox = new Map<string, number>();
  return {
    add({ device, inbox }: ValidationMessage, text: string): void {
      const ofDevice = device === null ? 0 : (nextOfDevice.get(device) ?? 0);
      const wave = Math.max(ofDevice, nextOfInbox.get(inbox) ?? 0);
      if (device !== null) nextOfDevice.set(device, wave + 1);
      nextOfInbox.set(inbox, wave + 1);
      const requests = waves[wave];
      if (requests) requests.push(text);
      else waves[wave] = [text];
    },
    text: () => waves.map((requests) => requests.join(REQUEST)).join(WAVE),
  };
}
