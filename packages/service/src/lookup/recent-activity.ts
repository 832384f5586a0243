import type { EmailAddress } from '../model/email-address.ts';
import { subdomainProvider } from '../model/inbox.ts';
import { type IpAddress, networkOf } from '../model/ip-address.ts';
import { localPartShape } from '../model/local-part-shape.ts';
import type { Burst, RecentActivity } from '../model/recent-activity.ts';
import { isReserved } from '../model/reserved-networks.ts';
import {
  burstThreshold,
  LEAST_SURGE,
  ORDINARY_NETWORK_SHARE,
  ORDINARY_SHAPE_SHARE,
  usualCount,
} from '../model/surge.ts';
import { DAY_MS, HOUR_MS } from '../model/windows.ts';
import { isCodeOfPart, isInstitution } from './domain-name-shape.ts';
import { ProjectActivity, type ProjectBounds } from './project-activity.ts';
import { registrableDomain } from './registrable-domain.ts';

/** One request: what the project saw before it, and the way to add it. */
export interface Sighting extends RecentActivity {
  /** Counts the request. To be called once it was answered and not blocked. */
  readonly record: (inboxHash: string) => void;
}

export interface SightedRequest {
  readonly projectId: string;
  readonly address: EmailAddress;
  readonly ip: IpAddress | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ActivityTracker {
  readonly sighting: (request: SightedRequest) => Sighting;
  /** Drops projects that were not seen for a day. To be called now and then. */
  readonly forget: (now: number) => void;
  readonly size: () => { readonly projects: number; readonly entries: number };
}

export interface ActivityBounds extends ProjectBounds {
  readonly projects: number;
  /** Everything that is kept of all projects together. */
  readonly entries: number;
}

const DEFAULT_BOUNDS: ActivityBounds = {
  projects: 1_000,
  // Took 32 MB of heap when filled by a synthetic load. Counts that last all day take more.
  entries: 120_000,
  inboxes: 8_192,
  counts: 4_096,
  domains: 256,
  namesOfDomain: 16,
};

/** The hours that a burst is compared with: a day without the hour itself. */
const HOURS_COMPARED = 23;
/**
 * Counts each project’s new inboxes of the last day, by network and by shape, and the new names under each domain.
 * Each process counts what it answered itself, and starts anew when it starts. Values are kept as keyed hashes. Each kind
 * of entry has a bound; beyond it the longest unseen goes first.
 */
export function createActivityTracker(
  keyedHash: (value: string) => string,
  bounds: ActivityBounds = DEFAULT_BOUNDS,
): ActivityTracker {
  const projects = new Map<string, ProjectActivity>();
  let entries = 0;

  const drop = (id: string, project: ProjectActivity): void => {
    projects.delete(id);
    entries -= project.entries;
  };
  const record = (id: string, now: number, add: (project: ProjectActivity) => void): void => {
    const project = projects.get(id) ?? new ProjectActivity(now, bounds);
    projects.set(id, project);
    const before = project.entries;
    add(project);
    project.lastAt = now;
    entries += project.entries - before;
    while (projects.size > 1 && (projects.size > bounds.projects || entries > bounds.entries)) {
      const quiet = longestQuiet(projects, id);
      if (quiet !== undefined) drop(...quiet);
    }
  };
  const forget = (now: number): void => {
    for (const [id, project] of projects) {
      const before = project.entries;
      project.forget(now);
      entries += project.entries - before;
      if (now - project.lastAt >= DAY_MS) drop(id, project);
    }
  };

  return {
    sighting: (request) => {
      const { projectId, now } = request;
      const keys = createKeys(request, keyedHash);
      return {
        networkBurst: () => networkBurst(projects.get(projectId), keys, now),
        patternBurst: () => patternBurst(projects.get(projectId), keys, now),
        newNames: () => {
          const name = keys.name();
          if (name === undefined) return 0;
          return projects.get(projectId)?.newNames(name.domain, name.name, now) ?? 1;
        },
        record: (inboxHash) =>
          record(projectId, now, (project) => addSighting(project, keys, inboxHash, now)),
      };
    },
    forget,
    size: () => ({ projects: projects.size, entries }),
  };
}

/** The project that was seen longest ago, other than this one. */
function longestQuiet(projects: ReadonlyMap<string, ProjectActivity>, except: string) {
  let quiet: [string, ProjectActivity] | undefined;
  for (const entry of projects) {
    if (entry[0] !== except && (quiet === undefined || entry[1].lastAt < quiet[1].lastAt)) quiet = entry;
  }
  return quiet;
}

/** Counts all new inboxes of a project. No hash is this short. */
const ALL = 'all';

/** What a request is counted under, as hashes that are made when they are needed. */
interface Keys {
  readonly shape: string | undefined;
  /** The registrable domain and the name under it. */
  readonly name: () => { readonly domain: string; readonly name: string } | undefined;
  readonly network: () => string | undefined;
  readonly domain: () => string;
  readonly shapeAtDomain: () => string | undefined;
}

function createKeys({ address, ip }: SightedRequest, keyedHash: (value: string) => string): Keys {
  const { asciiDomain, local, literal, quoted } = address;
  const shape = quoted ? undefined : localPartShape(local);
  return {
    shape,
    name: lazily(() => {
      const owner = literal ? undefined : ownerOfName(asciiDomain);
      return owner === undefined
        ? undefined
        : { domain: keyedHash(`under ${owner}`), name: keyedHash(`name ${asciiDomain}`) };
    }),
    // A private or reserved address says nothing about who asks.
    network: lazily(() =>
      ip === undefined || isReserved(ip) ? undefined : keyedHash(`network ${networkOf(ip)}`),
    ),
    domain: lazily(() => keyedHash(`domain ${asciiDomain}`)),
    shapeAtDomain: lazily(() =>
      shape === undefined ? undefined : keyedHash(`shape ${shape}@${asciiDomain}`),
    ),
  };
}

/** The registrable domain that a name is under. `undefined` where names under a domain are ordinary. */
function ownerOfName(name: string): string | undefined {
  const first = name.indexOf('.');
  if (first === name.lastIndexOf('.') || isCodeOfPart(name.slice(0, first))) return undefined;
  const owner = registrableDomain(name);
  if (owner === undefined || owner === name || isInstitution(owner)) return undefined;
  return subdomainProvider(name) === undefined ? owner : undefined;
}

/** Checks and recording ask for the same hashes; each is made once. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function addSighting(project: ProjectActivity, keys: Keys, inboxHash: string, now: number): void {
  const name = keys.name();
  if (name !== undefined) project.addName(name.domain, name.name, now);
  if (!project.isNewInbox(inboxHash, now)) return;
  for (const key of [ALL, keys.network(), keys.domain(), keys.shapeAtDomain()]) {
    if (key !== undefined) project.count(key, now);
  }
}

function networkBurst(project: ProjectActivity | undefined, keys: Keys, now: number): Burst | undefined {
  const inboxes = inboxesOfBusyHour(project, now);
  const network = inboxes === undefined ? undefined : keys.network();
  if (project === undefined || inboxes === undefined || network === undefined) return undefined;
  return burstOf(project, network, ORDINARY_NETWORK_SHARE * inboxes, now);
}

function patternBurst(
  project: ProjectActivity | undefined,
  keys: Keys,
  now: number,
): ReturnType<RecentActivity['patternBurst']> {
  const { shape } = keys;
  if (project === undefined || shape === undefined || inboxesOfBusyHour(project, now) === undefined)
    return undefined;
  const key = keys.shapeAtDomain();
  const atDomain = project.countsOf(keys.domain())?.lastHour(now) ?? 0;
  const burst = key === undefined ? undefined : burstOf(project, key, ORDINARY_SHAPE_SHARE * atDomain, now);
  return burst === undefined ? undefined : { shape, ...burst };
}

/** All new inboxes of the hour. `undefined` when they are too few for any burst, so that most requests need no hash. */
function inboxesOfBusyHour(project: ProjectActivity | undefined, now: number): number | undefined {
  const inboxes = project?.countsOf(ALL)?.lastHour(now) ?? 0;
  return inboxes < LEAST_SURGE ? undefined : inboxes;
}

/** `ordinary`: what would be no surprise in an hour as busy as this one. */
function burstOf(project: ProjectActivity, key: string, ordinary: number, now: number): Burst | undefined {
  const counts = project.countsOf(key);
  const count = counts?.lastHour(now) ?? 0;
  if (counts === undefined || count < LEAST_SURGE) return undefined;
  const hoursKnown = Math.max(0, Math.floor((now - project.since) / HOUR_MS));
  const mean = usualCount(counts.earlierHours(now, Math.min(HOURS_COMPARED, hoursKnown)));
  if (count < burstThreshold(mean, ordinary)) return undefined;
  return { count, usual: Math.round(Math.max(mean, ordinary) * 10) / 10 };
}
