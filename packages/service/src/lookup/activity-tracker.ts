import { DAY_MS, HOUR_MS } from '@postern/contract';
import {
  burstThreshold,
  LEAST_BURST,
  MAX_NETWORK_SHARE,
  ORDINARY_NETWORK_SHARE,
  ORDINARY_SHAPE_SHARE,
  usualCount,
} from '../model/burst.ts';
import type { EmailAddress } from '../model/email-address.ts';
import { getOrMake } from '../model/get-or-make.ts';
import { subdomainProvider } from '../model/inbox.ts';
import { type IpAddress, networkOf } from '../model/ip-address.ts';
import { localPartShape } from '../model/local-part-shape.ts';
import type { BadDomain, Burst, RecentActivity } from '../model/recent-activity.ts';
import { registrableDomain } from '../model/registrable-domain.ts';
import { isReserved } from '../model/reserved-networks.ts';
import { isInstitution, isOrganisationCode } from './domain-name-shape.ts';
import type { HourlyCounts } from './hourly-counts.ts';
import { ProjectActivity, type ProjectBounds } from './project-activity.ts';

/** What the project saw lately, before this request, and the way to add the request to it. */
export interface RequestActivity extends RecentActivity {
  /** Counts the request. To be called once it was answered and not blocked. */
  readonly record: (inboxHash: string) => void;
}

interface TrackedRequest {
  readonly projectId: string;
  readonly address: EmailAddress;
  readonly ip: IpAddress | undefined;
  readonly fingerprintHash?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ActivityTracker {
  readonly ofRequest: (request: TrackedRequest) => RequestActivity;
  /** Drops projects that were not seen for a day. To be called now and then. */
  readonly forget: (now: number) => void;
  readonly size: () => { readonly projects: number; readonly entries: number };
}

export interface ActivityBounds extends ProjectBounds {
  readonly projects: number;
  /** Everything that is kept of all projects together. */
  readonly entries: number;
}

/** What the store says about a domain. */
interface StoredFacts {
  /** By the project’s outcomes. */
  readonly badDomain: (projectId: string, domain: string) => BadDomain | undefined;
  /** By the project’s statistics. */
  readonly newDomain: (projectId: string, domain: string) => boolean;
}

const NOTHING_STORED: StoredFacts = { badDomain: () => undefined, newDomain: () => false };

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
 * At most this many inboxes an hour from one network count for a shape. Otherwise a single visitor could make everybody
 * with such a name suspicious. `network_burst` reports the rest. A backend’s requests without an address all count.
 */
const MOST_OF_A_NETWORK = 5;

/**
 * Counts each project’s new inboxes of the last day, by network and by shape, and the new names under each domain.
 * Each process counts what it answered itself, from zero after each start. Nothing is written to disk. Each kind of entry
 * has a bound, beyond which the entries that were not seen for longest are dropped.
 */
export function createActivityTracker(
  bounds: ActivityBounds = DEFAULT_BOUNDS,
  stored: StoredFacts = NOTHING_STORED,
): ActivityTracker {
  const projects = new Map<string, ProjectActivity>();
  let entries = 0;

  const drop = (id: string, project: ProjectActivity): void => {
    projects.delete(id);
    entries -= project.entries;
  };
  const record = (request: TrackedRequest, keys: RequestKeys, inboxHash: string): void => {
    const { projectId, now } = request;
    const project = getOrMake(projects, projectId, () => new ProjectActivity(now, bounds));
    const before = project.entries;
    addSighting(project, keys, inboxHash, now);
    project.lastAt = now;
    entries += project.entries - before;
    while (projects.size > 1 && (projects.size > bounds.projects || entries > bounds.entries)) {
      const quiet = longestQuiet(projects, projectId);
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
    ofRequest: (request) => {
      const { projectId, now } = request;
      const keys = new RequestKeys(request);
      return {
        networkBurst: () => networkBurst(projects.get(projectId), keys, now),
        patternBurst: () => patternBurst(projects.get(projectId), keys, now),
        newNames: () => {
          const { owner } = keys;
          if (owner === undefined) return 0;
          return projects.get(projectId)?.newNames(owner, request.address.asciiDomain, now) ?? 1;
        },
        badDomain: () => stored.badDomain(projectId, keys.domain),
        newDomain: () => stored.newDomain(projectId, keys.domain),
        mistyped: (inboxHash) => {
          const { visit, beginning } = keys;
          if (visit === undefined) return 0;
          return projects.get(projectId)?.mistyped(visit, { inbox: inboxHash, beginning, at: now }) ?? 0;
        },
        record: (inboxHash) => record(request, keys, inboxHash),
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

/** What a request is counted under. Checks and recording ask for the same keys, so each is made once. */
class RequestKeys {
  readonly #request: TrackedRequest;
  #network: string | null | undefined;
  #shape: string | null | undefined;
  #owner: string | null | undefined;

  constructor(request: TrackedRequest) {
    this.#request = request;
  }

  /** A private or reserved address says nothing about who asks. */
  get network(): string | undefined {
    if (this.#network === undefined) {
      const { ip } = this.#request;
      this.#network = ip === undefined || isReserved(ip) ? null : networkOf(ip);
    }
    return this.#network ?? undefined;
  }

  /** A device in a network. */
  get visit(): string | undefined {
    const { fingerprintHash } = this.#request;
    return fingerprintHash === undefined ? undefined : `${this.network ?? ''} ${fingerprintHash}`;
  }

  /** The first letters of the name, and its digits: numbered addresses are not mistyped ones. */
  get beginning(): string {
    const { local } = this.#request.address;
    return `${local.replace(/[^\p{L}]/gu, '').slice(0, 3)} ${local.replace(/\D/g, '')}`;
  }

  get domain(): string {
    return this.#request.address.asciiDomain;
  }

  get shape(): string | undefined {
    if (this.#shape === undefined) {
      const { quoted, local } = this.#request.address;
      this.#shape = quoted ? null : (localPartShape(local) ?? null);
    }
    return this.#shape ?? undefined;
  }

  /** The registrable domain, if the address is at a name under it. */
  get owner(): string | undefined {
    if (this.#owner === undefined) {
      const { literal, asciiDomain } = this.#request.address;
      this.#owner = literal ? null : (ownerOfName(asciiDomain) ?? null);
    }
    return this.#owner ?? undefined;
  }
}

/** The registrable domain that a name is under. `undefined` where names under a domain are ordinary. */
function ownerOfName(name: string): string | undefined {
  const first = name.indexOf('.');
  if (first === name.lastIndexOf('.') || isOrganisationCode(name.slice(0, first))) return undefined;
  const owner = registrableDomain(name);
  if (owner === undefined || owner === name || isInstitution(owner)) return undefined;
  return subdomainProvider(name) === undefined ? owner : undefined;
}

function addSighting(project: ProjectActivity, keys: RequestKeys, inboxHash: string, now: number): void {
  const { owner, network, shape, domain, visit } = keys;
  if (owner !== undefined) project.addName(owner, domain, now);
  if (visit !== undefined)
    project.addAttempt(visit, { inbox: inboxHash, beginning: keys.beginning, at: now });
  if (!project.isNewInbox(inboxHash, now)) return;
  project.inboxes.add(now);
  if (network !== undefined) project.count(network, now);
  // Only shapes are compared with their domain.
  project.count(domain, now);
  if (shape === undefined) return;
  const key = shapeAt(shape, domain);
  if (network === undefined) project.count(key, now);
  else project.countShare(key, network, MOST_OF_A_NETWORK, now);
}

/** No network and no domain has an `@`. */
const shapeAt = (shape: string, domain: string) => `${shape}@${domain}`;

function networkBurst(
  project: ProjectActivity | undefined,
  { network }: RequestKeys,
  now: number,
): Burst | undefined {
  const inboxes = inboxesOfBusyHour(project, now);
  if (project === undefined || inboxes === undefined || network === undefined) return undefined;
  // The usual share only raises the threshold. Most requests are below the lowest one, and need not add up a day.
  const count = project.countsOf(network)?.lastHour(now) ?? 0;
  if (count < burstThreshold(0, ORDINARY_NETWORK_SHARE * inboxes)) return undefined;
  return burstOf(project, network, ordinaryShare(project, network, now) * inboxes, now);
}

/**
 * The share of new inboxes that would be no surprise from a network: the one that it usually has, within limits. The
 * largest mobile networks have more than others, and in a busy hour they bring more people too.
 */
function ordinaryShare(project: ProjectActivity, network: string, now: number): number {
  const usual = usualOf(project, project.countsOf(network), now);
  const ofAll = usualOf(project, project.inboxes, now);
  return Math.min(MAX_NETWORK_SHARE, Math.max(ORDINARY_NETWORK_SHARE, ofAll === 0 ? 0 : usual / ofAll));
}

function patternBurst(
  project: ProjectActivity | undefined,
  keys: RequestKeys,
  now: number,
): ReturnType<RecentActivity['patternBurst']> {
  if (project === undefined || inboxesOfBusyHour(project, now) === undefined) return undefined;
  const { shape, domain } = keys;
  if (shape === undefined) return undefined;
  const atDomain = project.countsOf(domain)?.lastHour(now) ?? 0;
  const burst = burstOf(project, shapeAt(shape, domain), ORDINARY_SHAPE_SHARE * atDomain, now);
  return burst === undefined ? undefined : { shape, ...burst };
}

/** All new inboxes of the hour. `undefined` when they are too few for any burst. */
function inboxesOfBusyHour(project: ProjectActivity | undefined, now: number): number | undefined {
  const inboxes = project?.inboxes.lastHour(now) ?? 0;
  return inboxes < LEAST_BURST ? undefined : inboxes;
}

/** `ordinary`: what would be no surprise in an hour as busy as this one. */
function burstOf(project: ProjectActivity, key: string, ordinary: number, now: number): Burst | undefined {
  const counts = project.countsOf(key);
  const count = counts?.lastHour(now) ?? 0;
  // The usual count only raises the threshold. Most requests are below the lowest one, and need not add up a day.
  if (counts === undefined || count < burstThreshold(0, ordinary)) return undefined;
  const mean = usualOf(project, counts, now);
  if (count < burstThreshold(mean, ordinary)) return undefined;
  return { count, usual: Math.round(Math.max(mean, ordinary) * 10) / 10 };
}

/** The mean of the earlier hours of a day, as far as they are known. */
function usualOf(project: ProjectActivity, counts: HourlyCounts | undefined, now: number): number {
  const hoursKnown = Math.max(0, Math.floor((now - project.since) / HOUR_MS));
  return usualCount(counts?.earlierHours(now, Math.min(HOURS_COMPARED, hoursKnown)) ?? []);
}
