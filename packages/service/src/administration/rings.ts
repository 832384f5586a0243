import { setImmediate } from 'node:timers/promises';
import { DAY_MS } from '@postern/contract';
import type { Project } from '../model/project.ts';
import { findRings, type Ring } from '../rings/find-rings.ts';
import { gatherPeople } from '../rings/seen-people.ts';
import type { Administration } from './administration.ts';
import { findProject } from './projects.ts';

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
  const steps = findRings(all, project.policy.deviceCommonNetworks);
  for (;;) {
    const step = steps.next();
    if (step.done === true)
      return { rings: step.value, people: all.length, from, partial: read === MAX_ROWS };
    // Requests are answered in between.
    await setImmediate();
  }
}
