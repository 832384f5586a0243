import { HOUR_MS } from '@postern/contract';
import type { LogFault } from '../log.ts';
import { keyFacts } from '../model/key-facts.ts';
import type { Store } from '../store/store.ts';
import { reportAlert } from './report-alert.ts';
import { findSurges } from './surges.ts';
import { createRuleWatch } from './watch-rules.ts';

export interface AlertParts {
  readonly store: Pick<
    Store,
    'events' | 'incidents' | 'projects' | 'keys' | 'statistics' | 'sources' | 'outcomes'
  >;
  readonly logFault: LogFault;
  readonly now: () => number;
  /** The names of data sources that have not been refreshed for too long. */
  readonly staleFeeds: () => Promise<readonly string[]>;
}

const LOOK_EVERY_MS = 60_000;

/**
 * Checks once a minute for problems that members should know about. An event’s ID says what happened and when, so any
 * number of processes can check: the first one to notice writes the event.
 */
export function startAlerts(parts: AlertParts): () => void {
  const watchRules = createRuleWatch(parts.store);
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    await lookForAlerts(parts, watchRules)
      .catch((fault) => parts.logFault(fault, 'could not check for alerts; trying again'))
      .finally(() => {
        looking = false;
      });
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

export async function lookForAlerts(
  parts: AlertParts,
  watchRules = createRuleWatch(parts.store),
): Promise<void> {
  const { store, now } = parts;
  const projects = (await store.projects.list()).filter(({ archivedAt }) => archivedAt === null);
  const stale = await parts.staleFeeds();
  for (const project of projects) {
    const { id } = project;
    // One project’s long log must not silence the alerts of those that follow.
    try {
      await feedsStale(store, id, stale, now());
      await rotationDue(store, id, now());
      await findSurges(store, id, now());
      await watchRules(project, now());
    } catch (fault) {
      parts.logFault(fault, 'could not check a project for alerts; trying again');
    }
  }
}

async function feedsStale(
  store: AlertParts['store'],
  projectId: string,
  stale: readonly string[],
  now: number,
): Promise<void> {
  if (stale.length === 0) return;
  const message = `Data sources have not been refreshed for too long: ${stale.join(', ')}. The last good data stays in use.`;
  const day = new Date(now).toISOString().slice(0, 10);
  await reportAlert(store, {
    projectId,
    type: 'feed.stale',
    about: [day],
    at: now,
    data: { sources: stale, message },
  });
}

/** Written when a process’s resolver no longer resolves well-known domains, at most once an hour. */
export async function dnsOffline(store: Pick<Store, 'events' | 'projects'>, now: number): Promise<void> {
  const about = [Math.floor(now / HOUR_MS)];
  const message = 'DNS does not resolve well-known mail domains. Mail checks answer "unknown" and pass.';
  for (const { id: projectId, archivedAt } of await store.projects.list()) {
    if (archivedAt !== null) continue;
    await reportAlert(store, { projectId, type: 'dns.offline', about, at: now, data: { message } });
  }
}

async function rotationDue(store: AlertParts['store'], projectId: string, now: number): Promise<void> {
  for (const stored of await store.keys.list(projectId)) {
    const { key, ageDays, rotationDue } = keyFacts(stored, now);
    if (!rotationDue) continue;
    await reportAlert(store, {
      projectId,
      type: 'key.rotation_due',
      about: [key.id, key.createdAt],
      at: now,
      data: {
        keyId: key.id,
        keyType: key.type,
        keyName: key.name,
        ageDays,
        message: `The ${key.type} key ${key.name} (${key.id}) is ${ageDays} days old. Rotate it.`,
      },
    });
  }
}
