import type { LogRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { matchesFilter } from '../store/tables/log-filter.ts';
import type { LogStore } from '../store/tables/log-table.ts';
import { timeOfId } from '../store/timed-id.ts';
import { Refused } from './operation.ts';
import { validationRow } from './validation-row.ts';

/** Sends new rows of the log to the people who watch it. */
export interface LiveTail {
  /** Server-sent events of the rows that pass the filter. `after`: the newest row that the viewer has. */
  watch(
    projectId: string,
    filter: LogFilter,
    after: string | undefined,
    watcher: Watcher,
  ): AsyncIterable<string | Buffer>;
  close(): void;
}

/** The member behind a stream. */
export interface Watcher {
  readonly memberId: string;
  /** Whether the member may still see the project. */
  readonly mayRead: () => Promise<boolean>;
}

interface Viewer {
  readonly watcher: Watcher;
  readonly projectId: string;
  readonly filter: LogFilter;
  readonly send: (text: string | Buffer) => void;
  readonly end: () => void;
  readonly endsAt: number;
}

const TICK_MS = 1_000;
/** A row can be written this long after the time in its ID: batches, several processes, clocks that differ. */
const LATE_MS = 5_000;
const ROWS_AT_ONCE = 200;
const MAX_VIEWERS = 200;
/** Far more than open windows: a browser that moves quickly opens the next stream before the last one is seen to be closed. */
const MAX_STREAMS_OF_MEMBER = 20;
/** How often the members behind the streams are looked up. */
const MEMBER_TICKS = 5;
/** A stream ends after this time and the browser opens it again, so that an ended session stops seeing rows. */
const STREAM_MS = 5 * 60_000;
/** Keeps proxies from closing a quiet stream. */
const HEARTBEAT_TICKS = 15;
const MAX_QUEUED = 100;
/** More rows came in than one query reads, so the viewer does not have all of them. */
const SKIPPED = 'event: skipped\ndata: {}\n\n';

/**
 * One query a second serves all viewers of this process, and none runs while there is no viewer. The query reads on a
 * connection that no request waits for.
 */
export function createLiveTail(log: Pick<LogStore, 'newest' | 'page'>, now: () => number): LiveTail {
  const viewers = new Set<Viewer>();
  /** The rows that were already sent, until they are too old to be returned again. */
  let sent = new Map<string, number>();
  /** When the last query that succeeded was sent, or when the first viewer came. */
  let readAt = now();
  let timer: ReturnType<typeof setInterval> | undefined;
  let reading = false;
  let ticks = 0;

  const tick = async () => {
    ticks += 1;
    for (const viewer of viewers) {
      if (now() >= viewer.endsAt) viewer.end();
      else if (ticks % HEARTBEAT_TICKS === 0) viewer.send(': still here\n\n');
    }
    if (ticks % MEMBER_TICKS === 0) void endStreamsOfFormerMembers(viewers);
    if (reading || viewers.size === 0) return;
    reading = true;
    try {
      const projectIds = [...new Set([...viewers].map(({ projectId }) => projectId))];
      const askedAt = now();
      // A slow or failed query leaves no gap: the next one starts where the last good one did.
      const since = readAt - LATE_MS;
      const rows = await log.newest(projectIds, since, ROWS_AT_ONCE);
      readAt = askedAt;
      const fresh = rows.filter(({ id }) => !sent.has(id));
      for (const { id, at } of fresh) sent.set(id, at);
      sent = new Map([...sent].filter(([, at]) => at >= since));
      const overfull = projectIds.filter(
        (id) => fresh.filter(({ projectId }) => projectId === id).length === ROWS_AT_ONCE,
      );
      const messageFor = sharedMessages(fresh);
      for (const viewer of [...viewers]) {
        const message = messageFor(viewer);
        if (message !== undefined) viewer.send(message);
        if (overfull.includes(viewer.projectId)) viewer.send(SKIPPED);
        // Requests do not wait until all viewers are served.
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch {
      // The store may be unavailable for a moment. A later query or a reload of the page gets the rows.
    } finally {
      reading = false;
    }
  };

  const leave = (viewer: Viewer) => {
    viewers.delete(viewer);
    if (viewers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    sent.clear();
  };

  return {
    watch(projectId, filter, after, watcher) {
      const own = [...viewers].filter((one) => one.watcher.memberId === watcher.memberId);
      if (own.length >= MAX_STREAMS_OF_MEMBER)
        throw new Refused(429, 'You watch the log in too many windows. Close one, or use Refresh instead.');
      if (viewers.size >= MAX_VIEWERS)
        throw new Refused(503, 'Too many people are watching the log right now. Use Refresh instead.');
      const queue = createQueue(() => leave(viewer));
      const viewer: Viewer = {
        watcher,
        projectId,
        filter,
        send: queue.send,
        end: queue.end,
        endsAt: now() + STREAM_MS,
      };
      viewers.add(viewer);
      if (timer === undefined) {
        readAt = now();
        timer = setInterval(() => void tick(), TICK_MS).unref();
      }
      queue.send('retry: 2000\n\n');
      // Rows between the viewer’s page and this stream. The viewer recognises duplicates by their IDs.
      const from = after === undefined ? now() - LATE_MS : timeOfId(after) - LATE_MS;
      log.page(projectId, { ...filter, from }, ROWS_AT_ONCE, null).then(
        ({ rows, next }) => {
          const message = rowsMessage(viewer, rows);
          if (message !== undefined) viewer.send(message);
          if (after !== undefined && next !== null) viewer.send(SKIPPED);
        },
        () => queue.end(),
      );
      return queue.stream;
    },
    close() {
      for (const viewer of [...viewers]) viewer.end();
    },
  };
}

/** A store that does not answer ends no stream. */
async function endStreamsOfFormerMembers(viewers: ReadonlySet<Viewer>): Promise<void> {
  const checks = [...viewers].map(async (viewer) => {
    if (!(await viewer.watcher.mayRead().catch(() => true))) viewer.end();
  });
  await Promise.all(checks);
}

/** Viewers of the same rows share a message, because writing it takes longer than anything else here. */
function sharedMessages(rows: readonly LogRow[]): (viewer: Viewer) => Buffer | undefined {
  const messages = new Map<string, Buffer | undefined>();
  return (viewer) => {
    const key = JSON.stringify([viewer.projectId, viewer.filter]);
    if (!messages.has(key)) messages.set(key, rowsMessage(viewer, rows));
    return messages.get(key);
  };
}

/** `undefined` if the viewer wants none of the rows. */
function rowsMessage({ projectId, filter }: Viewer, rows: readonly LogRow[]): Buffer | undefined {
  const wanted = rows.filter((row) => row.projectId === projectId && matchesFilter(row, filter));
  if (wanted.length === 0) return undefined;
  const newest = wanted.reduce((one, other) => (one.id > other.id ? one : other));
  return Buffer.from(`id: ${newest.id}\nevent: rows\ndata: ${JSON.stringify(wanted.map(validationRow))}\n\n`);
}

interface Queue {
  readonly send: (text: string | Buffer) => void;
  readonly end: () => void;
  readonly stream: AsyncIterable<string | Buffer>;
}

/** What was sent and not read yet. A reader who falls far behind is disconnected and reconnects for the rest. */
function createQueue(onEnd: () => void): Queue {
  const texts: (string | Buffer)[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const notify = () => {
    wake?.();
    wake = undefined;
  };
  const end = () => {
    if (ended) return;
    ended = true;
    onEnd();
    notify();
  };
  const next = async (): Promise<IteratorResult<string | Buffer, undefined>> => {
    while (texts.length === 0 && !ended) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const value = texts.shift();
    return value === undefined ? { done: true, value: undefined } : { done: false, value };
  };
  return {
    end,
    send: (text) => {
      if (ended) return;
      texts.push(text);
      if (texts.length > MAX_QUEUED) end();
      notify();
    },
    stream: {
      [Symbol.asyncIterator]: () => ({
        next,
        return: async () => {
          texts.length = 0;
          end();
          return { done: true as const, value: undefined };
        },
      }),
    },
  };
}
