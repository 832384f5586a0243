import { DAY_MS, HOUR_MS, type Recommendation } from '@postern/contract';
import { isMailProvider } from '../model/mail-providers.ts';
import {
  burstThreshold,
  isSurge,
  LEAST_SURGE,
  ORDINARY_NETWORK_SHARE,
  ORDINARY_SHAPE_SHARE,
  usualCount,
} from '../model/surge.ts';
import { type Counts, REQUEST_WORDS } from '../store/statistics/counts.ts';
import type { Store } from '../store/store.ts';
import type { NamedCount, SourceKind, SourceSpan, SourceStore } from '../store/tables/source-table.ts';
import { type Alert, isReported, reportAlert } from './report-alert.ts';
import { SOURCES_REPORTED, sourcesOf } from './surge-sources.ts';

type SurgeStore = Pick<Store, 'events' | 'incidents' | 'sources' | 'statistics'>;

const WEEK_MS = 7 * DAY_MS;
const WEEKS_COMPARED = 8;
/** With fewer weeks than this there is no usual for the hour of the week. */
const LEAST_WEEKS = 2;
const HOURS_COMPARED = 24;

/** This hour’s blocks and flags, and its sources, against what is usual. Each surge is reported once an hour. */
export async function findSurges(store: SurgeStore, projectId: string, now: number): Promise<void> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const [current] = await hoursOf(store, projectId, hour, hour + HOUR_MS);
  const counted = (kind: Recommendation) => current?.get(kind) ?? 0;
  const at = { projectId, hour, now };
  for (const kind of ['block', 'flag'] as const) {
    if (counted(kind) < LEAST_SURGE || (await isReported(store, surgeOf(at, kind)))) continue;
    const earlier = await earlierCounts(store, projectId, hour, kind);
    if (isSurge(counted(kind), earlier))
      await reportSurge(store, at, await answerSurge(store, at, kind, counted(kind), usualCount(earlier)));
  }
  const total = counted('allow') + counted('flag') + counted('block');
  if (total >= LEAST_SURGE) await findSourceSurges(store, at);
}

/** An incident ends when no surge was found for this long. A surge after it is a new one. */
export const INCIDENT_PAUSE_MS = 2 * HOUR_MS;

/** Surges that follow each other are one incident. */
async function reportSurge(store: SurgeStore, { projectId, now }: Hour, surge: Alert): Promise<void> {
  const incident = await store.incidents.join(projectId, now, now - INCIDENT_PAUSE_MS);
  await reportAlert(store, { ...surge, data: { ...surge.data, incident: incident.id } });
}

/** A reported surge is not looked at again: that would be ten or more slow queries every minute. */
function surgeOf({ projectId, hour }: Hour, ...source: readonly string[]) {
  return { projectId, type: 'surge.detected', about: [...source, hour] } as const;
}

/** The same hour of earlier weeks; for a project that is younger, the hours of the last day. */
async function earlierCounts(
  store: SurgeStore,
  projectId: string,
  hour: number,
  kind: Recommendation,
): Promise<number[]> {
  const hours: Counts[] = [];
  for (let week = 1; week <= WEEKS_COMPARED; week += 1) {
    const at = hour - week * WEEK_MS;
    hours.push(...(await hoursOf(store, projectId, at, at + HOUR_MS)));
  }
  const compared =
    hours.length >= LEAST_WEEKS
      ? hours
      : await hoursOf(store, projectId, hour - HOURS_COMPARED * HOUR_MS, hour);
  return compared.map((counts) => counts.get(kind) ?? 0);
}

/** The recommendations of each hour in which there were any requests. */
async function hoursOf(
  { statistics }: SurgeStore,
  projectId: string,
  from: number,
  to: number,
): Promise<Counts[]> {
  const hours = new Map<number, Counts>();
  for await (const portion of statistics.read(projectId, from, to)) {
    for (const { at, counts } of portion) {
      const hour = Math.floor(at / HOUR_MS);
      for (const word of REQUEST_WORDS) {
        const count = counts.get(word);
        if (count === undefined) continue;
        const sums = hours.get(hour) ?? new Map();
        hours.set(hour, sums.set(word, (sums.get(word) ?? 0) + count));
      }
    }
  }
  return [...hours.values()];
}

interface Hour {
  readonly projectId: string;
  readonly hour: number;
  readonly now: number;
}

async function answerSurge(
  { sources }: SurgeStore,
  at: Hour,
  kind: 'block' | 'flag',
  count: number,
  usual: number,
): Promise<Alert> {
  const { projectId, hour, now } = at;
  const span = { projectId, from: hour, to: now };
  const what = kind === 'block' ? 'blocked' : 'flagged';
  return {
    ...surgeOf(at, kind),
    at: now,
    data: {
      kind,
      count,
      usual: Math.round(usual),
      since: new Date(hour).toISOString(),
      ...(await sourcesOf(sources, span, { recommendation: kind })),
      signals: await sources.signals(span, kind, SOURCES_REPORTED),
      message: `${count} sign-ups were ${what} in project ${projectId} this hour; the usual number is ${Math.round(usual)}.`,
    },
  };
}

/** How a kind of source is described in a surge’s message. */
const DESCRIBED: Readonly<Record<SourceKind, (name: string) => string>> = {
  domain: (name) => `came from the domain ${name}`,
  network: (name) => `came from the network ${name}`,
  pattern: (name) => `had names of the same pattern, ${name} (a: letters, 9: a digit)`,
};

/** One domain, network or name pattern that brings far more people than it usually does. */
async function findSourceSurges(store: SurgeStore, at: Hour): Promise<void> {
  const { projectId, hour, now } = at;
  const ordinary = ordinaryPeople(store.sources, { projectId, from: hour, to: now });
  for (const kind of ['domain', 'network', 'pattern'] as const) {
    for (const source of await frequentSources(store, at, kind)) {
      if (await isReported(store, surgeOf(at, kind, source.name))) continue;
      const usual = await surgeOver(store, at, kind, source, await ordinary(kind, source.name));
      if (usual !== undefined)
        await reportSurge(store, at, await sourceSurge(store, at, kind, source, usual));
    }
  }
}

/** Enough to find those that are not a mail provider. */
const DOMAINS_LOOKED_AT = 200;

/** This hour’s most frequent sources that could be a surge at all. */
async function frequentSources(
  { sources }: SurgeStore,
  { projectId, hour, now }: Hour,
  kind: SourceKind,
): Promise<NamedCount[]> {
  const span = { projectId, from: hour, to: now };
  const limit = kind === 'domain' ? DOMAINS_LOOKED_AT : SOURCES_REPORTED;
  const found = await sources.mostFrequent(span, kind, null, limit);
  return (
    found
      // Many people share a mail provider; a rush of them is no attack from there.
      .filter(({ name }) => kind !== 'domain' || !isMailProvider(name))
      .slice(0, SOURCES_REPORTED)
      .filter(({ count }) => count >= LEAST_SURGE)
  );
}

/** The usual number that this hour’s people from the source surge over. `undefined` if they are no surge. */
async function surgeOver(
  { sources }: SurgeStore,
  { projectId, hour }: Hour,
  kind: SourceKind,
  { name, count }: NamedCount,
  ordinary: number,
): Promise<number | undefined> {
  if (count < burstThreshold(0, ordinary)) return undefined;
  const filter = { kind, name };
  const lastDay = { projectId, from: hour - HOURS_COMPARED * HOUR_MS, to: hour };
  const { people, hours } = await sources.people(lastDay, filter);
  const mean = people / (hours ?? HOURS_COMPARED);
  if (count < burstThreshold(mean, ordinary)) return undefined;
  const weeks: number[] = [];
  for (let week = 1; week <= WEEKS_COMPARED; week += 1) {
    const from = hour - week * WEEK_MS;
    const earlier = await sources.people({ projectId, from, to: from + HOUR_MS }, filter);
    if (earlier.hours !== null) weeks.push(earlier.people);
  }
  if (weeks.length < LEAST_WEEKS) return mean;
  return isSurge(count, weeks) ? usualCount(weeks) : undefined;
}

/** What would be no surprise from one such source in an hour as busy as this one. Each number is counted once. */
function ordinaryPeople(
  sources: SourceStore,
  span: SourceSpan,
): (kind: SourceKind, name: string) => Promise<number> {
  const counted = new Map<string | null, number>();
  const peopleOf = async (domain: string | null) => {
    const filter = domain === null ? null : ({ kind: 'domain', name: domain } as const);
    const people = counted.get(domain) ?? (await sources.people(span, filter)).people;
    counted.set(domain, people);
    return people;
  };
  return async (kind, name) => {
    if (kind === 'domain') return 0;
    if (kind === 'network') return ORDINARY_NETWORK_SHARE * (await peopleOf(null));
    return ORDINARY_SHAPE_SHARE * (await peopleOf(name.slice(name.lastIndexOf('@') + 1)));
  };
}

async function sourceSurge(
  { sources }: SurgeStore,
  at: Hour,
  kind: SourceKind,
  { name, count }: NamedCount,
  usual: number,
): Promise<Alert> {
  const { projectId, hour, now } = at;
  const span = { projectId, from: hour, to: now };
  return {
    ...surgeOf(at, kind, name),
    at: now,
    data: {
      kind,
      name,
      count,
      usual: Math.round(usual),
      since: new Date(hour).toISOString(),
      ...(await sourcesOf(sources, span, { kind, name })),
      message: `${count} sign-ups in project ${projectId} ${DESCRIBED[kind](name)} this hour; the usual number is ${Math.round(usual)}.`,
    },
  };
}
