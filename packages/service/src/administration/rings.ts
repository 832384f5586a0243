import { setImmediate } from 'node:timers/promises';
import { DAY_MS } from '@postern/contract';
import type { RingView } from '@postern/contract/dashboard';
import type { Project } from '../model/project.ts';
import { findRings, type Ring } from '../rings/find-rings.ts';
import { gatherPeople } from '../rings/seen-people.ts';
import type { PersonOutcome } from '../store/tables/outcome-table.ts';
import type { Administration } from './administration.ts';
import { findProject } from './projects.ts';

/** How many rings are listed, the largest. */
export const RINGS_LISTED = 100;
const DOMAINS_NAMED = 3;
/** A fingerprint from so many networks is one that many people have, and links nobody. */
const COMMON_DEVICE_NETWORKS = 10;
/** A ring works for days or weeks, and the log of a busy project is long. */
const DAYS = 30;
const MAX_ROWS = 200_000;
/** The page, a ring’s page and its buttons ask one after the other. */
const KEPT_MS = 10_000;

export interface FoundRings {
  readonly rings: readonly Ring[];
  /** How many people were compared, and since when. */
  readonly people: number;
  readonly from: number;
  /** The log is longer than what was read. */
  readonly partial: boolean;
}

interface KeptRings {
  readonly until: number;
  readonly projectVersion: number;
  readonly found: Promise<FoundRings>;
}
const kept = new WeakMap<Administration['store'], Map<string, KeptRings>>();

/** Lets a long read wait for others. */
type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

/** The people of the last 30 days who belong together. What was found is kept for a few seconds. */
export async function ringsOf(
  admin: Administration,
  projectId: string,
  oneAtATime: OneAtATime = (work) => work(),
): Promise<FoundRings> {
  const project = await findProject(admin, projectId);
  const ofStore = kept.get(admin.store) ?? new Map<string, KeptRings>();
  kept.set(admin.store, ofStore);
  const now = admin.now();
  for (const [id, { until }] of ofStore) if (until <= now) ofStore.delete(id);
  const known = ofStore.get(project.id);
  if (known?.projectVersion === project.version) return known.found;
  const found = oneAtATime(() => searchRings(admin, project));
  ofStore.set(project.id, { until: now + KEPT_MS, projectVersion: project.version, found });
  found.catch(() => ofStore.delete(project.id));
  return found;
}

/** The ring with this inbox or device in it. */
export function ringWith({ rings }: FoundRings, hash: string): Ring | undefined {
  return rings.find(
    ({ members, devices }) =>
      members.some(({ person }) => person.inbox === hash) ||
      devices.some(({ name, isCommon }) => name === hash && !isCommon),
  );
}

async function searchRings({ store, now }: Administration, project: Project): Promise<FoundRings> {
  const people = gatherPeople();
  let from = now() - DAYS * DAY_MS;
  let read = 0;
  for await (const rows of store.log.seen(project.id, from, MAX_ROWS)) {
    people.add(rows);
    read += rows.length;
    if (read === MAX_ROWS) from = rows.reduce((oldest, { at }) => Math.min(oldest, at), now());
  }
  const all = people.all();
  const steps = findRings(all, COMMON_DEVICE_NETWORKS);
  for (;;) {
    const step = steps.next();
    if (step.done === true)
      return { rings: step.value, people: all.length, from, partial: read === MAX_ROWS };
    // Requests are answered in between.
    await setImmediate();
  }
}

/** The rings as lists show them, with what is known of their people. */
export async function ringViews(
  admin: Administration,
  projectId: string,
  rings: readonly Ring[],
): Promise<RingView[]> {
  const outcomes = await outcomesOf(admin, projectId, rings);
  return rings.map((ring) => ringView(ring, outcomes));
}

type Outcomes = ReadonlyMap<string, PersonOutcome>;

export function outcomesOf(
  { store }: Administration,
  projectId: string,
  rings: readonly Ring[],
): Promise<Outcomes> {
  const inboxes = rings.flatMap(({ members }) => members.map(({ person }) => person.inbox));
  return store.outcomes.findMany(projectId, inboxes);
}

export function ringView(
  { members, devices, networks, domains, firstSeen, lastSeen }: Ring,
  outcomes: Outcomes,
): RingView {
  const known = members.map(({ person }) => outcomes.get(person.inbox)?.judgement ?? null);
  const answered = (answer: string) => members.filter(({ person }) => person.answer === answer).length;
  return {
    id: members[0]?.person.inbox ?? '',
    people: members.length,
    devices: devices.filter(({ isCommon }) => !isCommon).length,
    networks: networks.length,
    domains: domains.slice(0, DOMAINS_NAMED).map(({ name }) => name),
    domainCount: domains.length,
    firstSeen,
    lastSeen,
    bad: known.filter((judgement) => judgement === 'bad').length,
    good: known.filter((judgement) => judgement === 'good').length,
    answers: { allow: answered('allow'), flag: answered('flag'), block: answered('block') },
  };
}
