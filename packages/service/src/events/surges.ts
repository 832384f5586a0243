import { isMailProvider } from '../model/mail-providers.ts';
import {
  burstThreshold,
  isSurge,
  LEAST_SURGE,
  ORDINARY_NETWORK_SHARE,
  ORDINARY_SHAPE_SHARE,
  usualCount,
} from '../model/surge.ts';
import { DAY_MS, HOUR_MS } from '../model/windows.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { LogRow, Store } from '../store/store.ts';
import { countPeople, mostFrequent, mostFrequentOf, type Source } from './surge-sources.ts';

type SurgeStore = Pick<Store, 'events' | 'log'>;

const WEEK_MS = 7 * DAY_MS;
const WEEKS_COMPARED = 8;
/** With fewer weeks than this there is no usual for the hour of the week. */
const LEAST_WEEKS = 2;
const HOURS_COMPARED = 24;
const ROWS_LOOKED_AT = 5_000;

/** This hour’s blocks and flags, and its sources, against what is usual. Each surge is told once an hour. */
export async function findSurges(store: SurgeStore, projectId: string, now: number): Promise<void> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const current = await store.log.usage(projectId, hour, hour + HOUR_MS);
  const counted = (kind: string) => current.find((row) => row.kind === kind)?.count ?? 0;
  const at = { projectId, hour, now };
  for (const kind of ['block', 'flag'] as const) {
    if (counted(kind) < LEAST_SURGE) continue;
    const earlier = await earlierCounts(store, projectId, hour, kind);
    if (isSurge(counted(kind), earlier))
      await store.events.add(await answerSurge(store, at, kind, counted(kind), usualCount(earlier)));
  }
  const total = counted('allow') + counted('flag') + counted('block');
  if (total >= LEAST_SURGE) await findSourceSurges(store, at);
}

/** The same hour of earlier weeks; for a project that is younger, the hours of the last day. */
async function earlierCounts(
  { log }: SurgeStore,
  projectId: string,
  hour: number,
  kind: string,
): Promise<number[]> {
  const counts: number[] = [];
  for (let week = 1; week <= WEEKS_COMPARED; week += 1) {
    const at = hour - week * WEEK_MS;
    const rows = await log.usage(projectId, at, at + HOUR_MS);
    if (rows.length > 0) counts.push(rows.find((row) => row.kind === kind)?.count ?? 0);
  }
  if (counts.length >= LEAST_WEEKS) return counts;
  const lately = await log.usage(projectId, hour - HOURS_COMPARED * HOUR_MS, hour);
  const hours = new Map<number, number>(lately.map((row) => [row.hour, 0]));
  for (const row of lately) if (row.kind === kind) hours.set(row.hour, row.count);
  return [...hours.values()];
}

interface Hour {
  readonly projectId: string;
  readonly hour: number;
  readonly now: number;
}

async function answerSurge(
  store: SurgeStore,
  { projectId, hour, now }: Hour,
  kind: 'block' | 'flag',
  count: number,
  usual: number,
): Promise<NewEvent> {
  const { rows: all } = await rowsOf(store, projectId, hour, now);
  const rows = all.filter((row) => row.recommendation === kind);
  const what = kind === 'block' ? 'blocked' : 'flagged';
  return {
    projectId,
    id: `surge.detected-${kind}-${hour}`,
    type: 'surge.detected',
    at: now,
    logId: null,
    data: {
      kind,
      count,
      usual: Math.round(usual),
      since: new Date(hour).toISOString(),
      domains: domainSources(rows),
      networks: mostFrequent(rows, ({ maskedIp }) => maskedIp),
      patterns: mostFrequent(rows, patternOf),
      signals: mostFrequentOf(rows.flatMap(({ signals }) => signals)),
      message: `${count} sign-ups were ${what} in project ${projectId} this hour; the usual number is ${Math.round(usual)}.`,
    },
  };
}

interface SourceKind {
  readonly kind: 'domain' | 'network' | 'pattern';
  readonly nameOf: (row: LogRow) => string | null;
  /** What would be no surprise from one such source in an hour as busy as this one. */
  readonly ordinary: (name: string, rows: readonly LogRow[]) => number;
  readonly told: (name: string) => string;
}

const SOURCE_KINDS: readonly SourceKind[] = [
  {
    kind: 'domain',
    // Many people share a mail provider; a rush of them is no attack from there.
    nameOf: ({ domain }) => (isMailProvider(domain) ? null : domain),
    ordinary: () => 0,
    told: (name) => `came from the domain ${name}`,
  },
  {
    kind: 'network',
    nameOf: ({ maskedIp }) => maskedIp,
    ordinary: (_name, rows) => ORDINARY_NETWORK_SHARE * countPeople(rows),
    told: (name) => `came from the network ${name}`,
  },
  {
    kind: 'pattern',
    nameOf: patternOf,
    ordinary: (name, rows) =>
      ORDINARY_SHAPE_SHARE * countPeople(rows.filter(({ domain }) => name.endsWith(`@${domain}`))),
    told: (name) => `had names of the same pattern, ${name} (a: letters, 9: a digit)`,
  },
];

/** `a99@example.com` for names of one word and two digits there. `null` for names that have no pattern. */
function patternOf({ shape, domain }: LogRow): string | null {
  return shape === null ? null : `${shape}@${domain}`;
}

/** One domain, network or name pattern that brings far more people than it usually does. */
async function findSourceSurges(store: SurgeStore, at: Hour): Promise<void> {
  const { projectId, hour, now } = at;
  const { rows } = await rowsOf(store, projectId, hour, now);
  const before = await rowsOf(store, projectId, hour - HOURS_COMPARED * HOUR_MS, hour);
  const weeks = earlierWeeks(store, at);
  for (const kind of SOURCE_KINDS) {
    for (const { name, count } of mostFrequent(rows, kind.nameOf)) {
      const own = (all: readonly LogRow[]) => all.filter((row) => kind.nameOf(row) === name);
      const mean = countPeople(own(before.rows)) / before.hours;
      if (count < burstThreshold(mean, kind.ordinary(name, rows))) continue;
      const sameHour = (await weeks()).map((week) => countPeople(own(week)));
      if (sameHour.length >= LEAST_WEEKS && !isSurge(count, sameHour)) continue;
      const usual = sameHour.length >= LEAST_WEEKS ? usualCount(sameHour) : mean;
      await store.events.add(sourceSurge(at, kind, { name, count }, usual, own(rows)));
    }
  }
}

function sourceSurge(
  { projectId, hour, now }: Hour,
  { kind, told }: SourceKind,
  { name, count }: Source,
  usual: number,
  rows: readonly LogRow[],
): NewEvent {
  return {
    projectId,
    id: `surge.detected-${kind}-${name}-${hour}`,
    type: 'surge.detected',
    at: now,
    logId: null,
    data: {
      kind,
      name,
      count,
      usual: Math.round(usual),
      since: new Date(hour).toISOString(),
      domains: domainSources(rows),
      networks: mostFrequent(rows, ({ maskedIp }) => maskedIp),
      patterns: mostFrequent(rows, patternOf),
      message: `${count} sign-ups in project ${projectId} ${told(name)} this hour; the usual number is ${Math.round(usual)}.`,
    },
  };
}

/** The same hour of earlier weeks, as far as the log goes back. Read when a source first needs it. */
function earlierWeeks(store: SurgeStore, { projectId, hour }: Hour): () => Promise<LogRow[][]> {
  const read = async () => {
    const weeks: LogRow[][] = [];
    for (let week = 1; week <= WEEKS_COMPARED; week += 1) {
      const from = hour - week * WEEK_MS;
      const { rows } = await rowsOf(store, projectId, from, from + HOUR_MS);
      if (rows.length > 0) weeks.push(rows);
    }
    return weeks;
  };
  let weeks: Promise<LogRow[][]> | undefined;
  return () => {
    weeks ??= read();
    return weeks;
  };
}

function domainSources(rows: readonly LogRow[]): Source[] {
  return mostFrequent(rows, ({ domain }) => domain).map((source) => ({
    ...source,
    ...(isMailProvider(source.name) && { mailProvider: true }),
  }));
}

/** The live validations of a time span, at most the newest few thousand, and how many hours these cover. */
async function rowsOf(
  { log }: SurgeStore,
  projectId: string,
  from: number,
  to: number,
): Promise<{ rows: LogRow[]; hours: number }> {
  const rows: LogRow[] = [];
  let cursor: string | null = null;
  do {
    const page = await log.page(projectId, { from, to, mode: 'live' }, 500, cursor);
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null && rows.length < ROWS_LOOKED_AT);
  const oldest = cursor === null ? from : (rows.at(-1)?.at ?? from);
  return { rows, hours: Math.max(to - oldest, 1) / HOUR_MS };
}
