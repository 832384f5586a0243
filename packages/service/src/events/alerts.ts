import type { Log } from '../log.ts';
import type { ApiKey } from '../model/api-key.ts';
import { isMailProvider } from '../model/mail-providers.ts';
import { isSurge, LEAST_SURGE, surgeThreshold, usualCount } from '../model/surge.ts';
import { DAY_MS } from '../model/windows.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { LogRow, Store } from '../store/store.ts';

export interface AlertParts {
  readonly store: Pick<Store, 'events' | 'projects' | 'keys' | 'log'>;
  readonly log: Log;
  readonly now: () => number;
  /** The names of data sources that were not refreshed for too long. */
  readonly staleFeeds: () => Promise<readonly string[]>;
}

const LOOK_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const WEEKS_COMPARED = 8;
const HOURS_COMPARED = 24;
const ROTATION_DUE_MS = 90 * DAY_MS;
const ROWS_LOOKED_AT = 5_000;
const SOURCES_TOLD = 5;

/**
 * Looks once a minute for what members should hear about. Every event’s ID says what happened and when, so that any
 * number of processes can look: the first to notice writes it.
 */
export function startAlerts(parts: AlertParts): () => void {
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    await lookForAlerts(parts)
      .catch((fault: unknown) => parts.log.warn({ err: fault }, 'could not look for alerts; trying again'))
      .finally(() => {
        looking = false;
      });
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

export async function lookForAlerts(parts: AlertParts): Promise<void> {
  const { store, now } = parts;
  const projects = (await store.projects.list()).filter(({ archivedAt }) => archivedAt === null);
  const stale = await parts.staleFeeds();
  for (const { id } of projects) {
    await feedsStale(store, id, stale, now());
    await rotationDue(store, id, now());
    await surges(store, id, now());
  }
}

async function feedsStale(
  { events }: AlertParts['store'],
  projectId: string,
  stale: readonly string[],
  now: number,
): Promise<void> {
  if (stale.length === 0) return;
  const message = `Data sources were not refreshed for too long: ${stale.join(', ')}. The last good data stays in use.`;
  const id = `feed.stale-${new Date(now).toISOString().slice(0, 10)}`;
  await events.add({
    projectId,
    id,
    type: 'feed.stale',
    at: now,
    logId: null,
    data: { sources: stale, message },
  });
}

/** Written by each process whose resolver stops knowing well-known domains; once an hour at most. */
export async function dnsOffline(
  { events, projects }: Pick<Store, 'events' | 'projects'>,
  now: number,
): Promise<void> {
  const id = `dns.offline-${Math.floor(now / HOUR_MS)}`;
  const message = 'DNS does not resolve well-known mail domains. Mail checks answer "unknown" and pass.';
  for (const { id: projectId, archivedAt } of await projects.list()) {
    if (archivedAt !== null) continue;
    await events.add({ projectId, id, type: 'dns.offline', at: now, logId: null, data: { message } });
  }
}

async function rotationDue(
  { events, keys }: AlertParts['store'],
  projectId: string,
  now: number,
): Promise<void> {
  const isDue = (key: ApiKey) =>
    key.revokedAt === null &&
    (key.expiresAt === null || key.expiresAt > now) &&
    now - key.createdAt >= ROTATION_DUE_MS;
  for (const key of (await keys.list(projectId)).filter(isDue)) {
    const days = Math.floor((now - key.createdAt) / DAY_MS);
    await events.add({
      projectId,
      id: `key.rotation_due-${key.id}-${key.createdAt}`,
      type: 'key.rotation_due',
      at: now,
      logId: null,
      data: {
        keyId: key.id,
        keyType: key.type,
        keyName: key.name,
        ageDays: days,
        message: `The ${key.type} key ${key.name} (${key.id}) is ${days} days old. Rotate it.`,
      },
    });
  }
}

/** Blocks and flags of this hour against the same hour of earlier weeks; then who they came from. */
async function surges(store: AlertParts['store'], projectId: string, now: number): Promise<void> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const current = await store.log.usage(projectId, hour, hour + HOUR_MS);
  const counted = (kind: string) => current.find((row) => row.kind === kind)?.count ?? 0;
  for (const kind of ['block', 'flag'] as const) {
    if (counted(kind) < LEAST_SURGE) continue;
    const earlier = await earlierCounts(store, projectId, hour, kind);
    if (!isSurge(counted(kind), earlier)) continue;
    await store.events.add(
      await surgeOf(store, { projectId, hour, kind, count: counted(kind), earlier, now }),
    );
  }
  const total = counted('allow') + counted('flag') + counted('block');
  if (total >= LEAST_SURGE) await sourceSurges(store, projectId, hour, now);
}

/** The same hour of earlier weeks; for a project that is younger, the hours of the last day. */
async function earlierCounts(
  { log }: AlertParts['store'],
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
  if (counts.length >= 2) return counts;
  const lately = await log.usage(projectId, hour - HOURS_COMPARED * HOUR_MS, hour);
  const hours = new Map<number, number>(lately.map((row) => [row.hour, 0]));
  for (const row of lately) if (row.kind === kind) hours.set(row.hour, row.count);
  return [...hours.values()];
}

interface Surge {
  readonly projectId: string;
  readonly hour: number;
  readonly kind: 'block' | 'flag';
  readonly count: number;
  readonly earlier: readonly number[];
  readonly now: number;
}

async function surgeOf(store: AlertParts['store'], surge: Surge): Promise<NewEvent> {
  const { projectId, hour, kind, count, earlier, now } = surge;
  const rows = (await rowsOf(store, projectId, hour, now)).filter((row) => row.recommendation === kind);
  const usual = Math.round(usualCount(earlier));
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
      usual,
      since: new Date(hour).toISOString(),
      domains: mostFrequent(rows, ({ domain }) => domain).map(({ name, count }) => ({
        name,
        count,
        ...(isMailProvider(name) && { mailProvider: true }),
      })),
      networks: mostFrequent(rows, ({ maskedIp }) => maskedIp),
      signals: mostFrequentOf(rows.flatMap(({ signals }) => signals)),
      message: `${count} sign-ups were ${what} in project ${projectId} this hour; usual are ${usual}.`,
    },
  };
}

/** One network or domain that brings far more than it did in the hours before. */
async function sourceSurges(
  store: AlertParts['store'],
  projectId: string,
  hour: number,
  now: number,
): Promise<void> {
  const rows = await rowsOf(store, projectId, hour, now);
  const before = await rowsOf(store, projectId, hour - HOURS_COMPARED * HOUR_MS, hour);
  for (const [source, nameOf] of SOURCES) {
    for (const { name, count } of mostFrequent(rows, nameOf)) {
      const usual = before.filter((row) => nameOf(row) === name).length / HOURS_COMPARED;
      if (count < surgeThreshold([usual])) continue;
      await store.events.add({
        projectId,
        id: `surge.detected-${source}-${name}-${hour}`,
        type: 'surge.detected',
        at: now,
        logId: null,
        data: {
          kind: source,
          name,
          count,
          usual: Math.round(usual),
          since: new Date(hour).toISOString(),
          message: `${count} sign-ups came from the ${source} ${name} in project ${projectId} this hour; usual are ${Math.round(usual)}.`,
        },
      });
    }
  }
}

const SOURCES: readonly (readonly ['domain' | 'network', (row: LogRow) => string | null])[] = [
  // Many people share a mail provider; a rush of them is no attack from there.
  ['domain', ({ domain }) => (isMailProvider(domain) ? null : domain)],
  ['network', ({ maskedIp }) => maskedIp],
];

/** The live validations of a time span, at most the newest few thousand. */
async function rowsOf(
  { log }: AlertParts['store'],
  projectId: string,
  from: number,
  to: number,
): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  let cursor: string | null = null;
  do {
    const page = await log.page(projectId, { from, to, mode: 'live' }, 500, cursor);
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null && rows.length < ROWS_LOOKED_AT);
  return rows;
}

function mostFrequent(rows: readonly LogRow[], nameOf: (row: LogRow) => string | null) {
  return mostFrequentOf(rows.flatMap((row) => nameOf(row) ?? []));
}

function mostFrequentOf(names: readonly string[]): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, SOURCES_TOLD);
}
