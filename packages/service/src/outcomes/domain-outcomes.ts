import { DAY_MS } from '@postern/contract';
import type { BadDomain } from '../model/recent-activity.ts';
import { registrableDomain } from '../model/registrable-domain.ts';
import { createBackgroundReads } from '../record/background-reads.ts';
import type { Store } from '../store/store.ts';
import type { DomainOutcome } from '../store/tables/outcome-table.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** After this time a bad outcome counts half: throwaway domains change hands, and so do companies’ mailboxes. */
const HALF_LIFE_MS = 30 * DAY_MS;
/** With fewer bad people than this, a domain says nothing. */
const LEAST_BAD = 3;
/** The least share of bad people, by the lower end of its 95% interval. Three fresh ones of three give 44%. */
const LEAST_SHARE = 0.3;
/** What one look reads at most. */
const MOST_PEOPLE = 1_000;
/** Outcomes come in slowly. Those that this process records itself count at once. */
const LOOK_EVERY_MS = 10 * 60_000;
const MOST_PROJECTS = 1_000;

/** The registrable domains whose people turned out bad. */
export function badDomains(people: readonly DomainOutcome[], now: number): ReadonlyMap<string, BadDomain> {
  const byDomain = new Map<string, { bad: number; weight: number; others: number }>();
  for (const { domain, judgement, at } of people) {
    const owner = registrableDomain(domain) ?? domain;
    const sums = byDomain.get(owner) ?? { bad: 0, weight: 0, others: 0 };
    byDomain.set(owner, sums);
    if (judgement !== 'bad') sums.others += 1;
    else {
      sums.bad += 1;
      sums.weight += 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS);
    }
  }
  const found = new Map<string, BadDomain>();
  for (const [domain, { bad, weight, others }] of byDomain) {
    const low = wilsonInterval(weight, weight + others)?.low ?? 0;
    if (bad >= LEAST_BAD && low >= LEAST_SHARE)
      found.set(domain, { bad, people: bad + others, low: Math.round(low * 100) / 100 });
  }
  return found;
}

export interface DomainOutcomes {
  /** What is known about the domain of an address. Never waits: the first question of a project has the store read. */
  readonly of: (projectId: string, domain: string) => BadDomain | undefined;
  /** The project has new outcomes. */
  readonly renew: (projectId: string) => void;
}

interface Options {
  readonly store: Pick<Store, 'outcomes'>;
  readonly now: () => number;
  readonly onFault: (fault: unknown) => void;
}

const NONE: ReadonlyMap<string, BadDomain> = new Map();

/** Which domains brought a project people who turned out bad. Projects do not learn of each other’s. */
export function createDomainOutcomes({ store, now, onFault }: Options): DomainOutcomes {
  const reads = createBackgroundReads({
    read: (projectId) => read(store, projectId, now()),
    nothing: NONE,
    everyMs: LOOK_EVERY_MS,
    mostProjects: MOST_PROJECTS,
    now,
    onFault,
  });
  return {
    of(projectId, domain) {
      const domains = reads.of(projectId);
      return domains.size === 0 ? undefined : domains.get(registrableDomain(domain) ?? domain);
    },
    renew: reads.renew,
  };
}

/** Most projects have no such domain, and then one query is enough. */
async function read({ outcomes }: Pick<Store, 'outcomes'>, projectId: string, now: number) {
  const judged = await outcomes.domainOutcomes(projectId, 'judged', MOST_PEOPLE);
  if (badDomains(judged, now).size === 0) return NONE;
  const all = await outcomes.domainOutcomes(projectId, 'all', MOST_PEOPLE);
  // Judged people may be older than the newest sign-ups.
  return badDomains([...judged, ...all.filter(({ judgement }) => judgement === null)], now);
}
