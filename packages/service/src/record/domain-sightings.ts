import { DAY_MS, HOUR_MS } from '@postern/contract';
import { registrableDomain } from '../model/registrable-domain.ts';
import type { Store } from '../store/store.ts';
import type { Slot } from '../store/tables/statistics-table.ts';
import { createBackgroundReads } from './background-reads.ts';

/** How long a domain is new to a project after it was first seen. */
const NEW_FOR_MS = 7 * DAY_MS;
/** A project that has counted for a shorter time has seen too little: every domain is new to it. */
const LEAST_HISTORY_MS = 30 * DAY_MS;
/** What was last seen longer ago may have changed hands. */
const LOOKED_BACK_MS = 90 * DAY_MS;
/** A domain that came since the last look is new anyway. */
const LOOK_EVERY_MS = 6 * HOUR_MS;
const MOST_PROJECTS = 200;
/** A project with more domains is too large to remember. */
const MOST_DOMAINS = 20_000;

/** Whether a project first saw the address’s domain within a week. */
export type IsNewDomain = (projectId: string, domain: string) => boolean;

interface Options {
  readonly store: Pick<Store, 'statistics'>;
  readonly now: () => number;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Which domains a project has known for longer than a week, from the statistics that it keeps anyway. Each process reads
 * them in the background. Before that, and where the statistics do not have every domain, no domain is new.
 */
export function createDomainSightings({ store, now, onFault }: Options): IsNewDomain {
  const reads = createBackgroundReads<ReadonlySet<string> | undefined>({
    read: (projectId) => {
      const at = now();
      return oldDomains(store.statistics.read(projectId, at - LOOKED_BACK_MS, at), at);
    },
    nothing: undefined,
    everyMs: LOOK_EVERY_MS,
    mostProjects: MOST_PROJECTS,
    now,
    onFault,
  });
  return (projectId, domain) => {
    const old = reads.of(projectId);
    return old !== undefined && !old.has(registrableDomain(domain) ?? domain);
  };
}

const DOMAIN = 'domain:';

/** The registrable domains that were seen more than a week ago. `undefined` if that is not fully known. */
export async function oldDomains(
  portions: AsyncIterable<readonly Slot[]>,
  now: number,
): Promise<ReadonlySet<string> | undefined> {
  const old = new Set<string>();
  let since = now;
  for await (const portion of portions) {
    for (const { at, counts } of portion) {
      since = Math.min(since, at);
      if (at > now - NEW_FOR_MS) continue;
      // A busy half hour keeps its most frequent domains only.
      if (counts.has('over:domain') || old.size > MOST_DOMAINS) return undefined;
      for (const word of counts.keys()) {
        if (!word.startsWith(DOMAIN)) continue;
        const name = word.slice(DOMAIN.length);
        old.add(registrableDomain(name) ?? name);
      }
    }
  }
  return since <= now - LEAST_HISTORY_MS ? old : undefined;
}
