import { DAY_MS, HOUR_MS } from '@postern/contract';
import { updateCampaigns } from '../campaigns/update-campaigns.ts';
import type { LogFault } from '../log.ts';
import { type KeyFacts, keyFacts } from '../model/key-facts.ts';
import type { Project } from '../model/project.ts';
import { findRulesGoneBad } from '../outcomes/rules-gone-bad.ts';
import { KEY_USE_NOTED_EVERY_MS } from '../store/rate-rules.ts';
import type { Store } from '../store/store.ts';
import { reportAlert } from './report-alert.ts';

export interface AlertParts {
  readonly store: Pick<
    Store,
    'events' | 'campaigns' | 'log' | 'projects' | 'keys' | 'statistics' | 'outcomes'
  >;
  readonly logFault: LogFault;
  readonly now: () => number;
  /** Where the dashboard is, for links. */
  readonly publicUrl?: string | undefined;
  /** The names of data sources that have not been refreshed for too long. */
  readonly staleFeeds: () => Promise<readonly string[]>;
}

const LOOK_EVERY_MS = 60_000;
/** Thousands of projects without requests must not cost anything. A process that starts looks back for a day. */
const ACTIVE_MS = 2 * HOUR_MS;
/** Looking for campaigns reads a month of the log, so it takes at most a twentieth of the time. */
const LEAST_PAUSE_MS = 30_000;
const PAUSE_TIMES = 20;

/**
 * Checks once a minute for problems that members should know about. An event’s ID says what happened and when, so any
 * number of processes can check: the first one to notice writes the event.
 */
export function startAlerts(parts: AlertParts): () => void {
  const watches = createWatches(parts.store);
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    await lookForAlerts(parts, watches)
      .catch((fault) => parts.logFault(fault, 'could not check for alerts; trying again'))
      .finally(() => {
        looking = false;
      });
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

const createWatches = (store: AlertParts['store']) => ({
  rules: createRuleWatch(store),
  /** When each project was looked at for campaigns, and how long all of them took. */
  campaignsAt: new Map<string, number>(),
  campaignsTookMs: 0,
  /** When was last looked for what changes from day to day. */
  dailyAt: Number.NEGATIVE_INFINITY,
});

/** Two queries find the projects that something can be said about. */
export async function lookForAlerts(parts: AlertParts, watches = createWatches(parts.store)): Promise<void> {
  const { store, now } = parts;
  const projects = (await store.projects.list()).filter(({ archivedAt }) => archivedAt === null);
  const keys = await store.keys.list();
  const usedAt = new Map<string, number>();
  for (const { projectId, lastUsedAt } of keys)
    usedAt.set(projectId, Math.max(usedAt.get(projectId) ?? 0, lastUsedAt ?? 0));
  const started = performance.now();
  const pauseMs = Math.max(LEAST_PAUSE_MS, PAUSE_TIMES * watches.campaignsTookMs);
  const isDaily = now() - watches.dailyAt >= HOUR_MS;
  if (isDaily) watches.dailyAt = now();
  const stale = isDaily ? await parts.staleFeeds() : [];
  const due = isDaily ? keys.map((key) => keyFacts(key, now())).filter((facts) => facts.rotationDue) : [];
  for (const project of projects) {
    const { id } = project;
    // One project’s long log must not silence the alerts of those that follow.
    try {
      await feedsStale(store, id, stale, now());
      for (const facts of due) if (facts.key.projectId === id) await rotationDue(store, facts, now());
      const usedLast = usedAt.get(id) ?? 0;
      if (usedLast <= now() - (watches.campaignsAt.has(id) ? ACTIVE_MS : DAY_MS)) continue;
      const lookedAt = watches.campaignsAt.get(id) ?? 0;
      // A key’s use is only noted now and then.
      if (lookedAt <= now() - pauseMs && usedLast > lookedAt - KEY_USE_NOTED_EVERY_MS) {
        watches.campaignsAt.set(id, now());
        await updateCampaigns(store, id, now(), parts.publicUrl);
      }
      await watches.rules(project, now());
    } catch (fault) {
      parts.logFault(fault, 'could not check a project for alerts; trying again');
    }
  }
  watches.campaignsTookMs = performance.now() - started;
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
  const message = 'DNS does not resolve well-known mail domains. Mail checks answer "unknown" and pass.';
  for (const { id: projectId, archivedAt } of await store.projects.list()) {
    if (archivedAt !== null) continue;
    await reportAlert(store, { projectId, type: 'dns.offline', at: now, data: { message } });
  }
}

async function rotationDue(
  store: AlertParts['store'],
  { key, ageDays }: KeyFacts,
  now: number,
): Promise<void> {
  await reportAlert(store, {
    projectId: key.projectId,
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

/** Written when a project has mailed as many codes as it may, at most once an hour. */
export function codesStopped(
  store: Pick<Store, 'events'>,
  { id: projectId, policy }: Pick<Project, 'id' | 'policy'>,
  at: number,
): Promise<void> {
  const limit = policy.stepUpMailRate;
  const message = `The project has mailed ${limit} codes within an hour. Until there is room again, flagged people are not asked for one.`;
  return reportAlert(store, { projectId, type: 'step_up.mail_stopped', at, data: { limit, message } });
}

/** Written when the project’s CAPTCHA vendor did not say whether a person passed, at most once an hour. */
export function vendorFailed(
  store: Pick<Store, 'events'>,
  projectId: string,
  fault: unknown,
  at: number,
): Promise<void> {
  const reason = fault instanceof Error ? fault.message : 'no answer';
  const message = `The CAPTCHA vendor did not check a flagged person: ${reason}. If this goes on, save the account’s secret again.`;
  return reportAlert(store, { projectId, type: 'step_up.vendor_failed', at, data: { message } });
}

/** Looks at a project’s rules, if it is time. */
type WatchRules = (project: Project, now: number) => Promise<void>;

/** Outcomes come in slowly, and looking reads up to a thousand people. */
const RULES_EVERY_MS = 30 * 60_000;

/** Reports a live rule that hits fewer bad people than average, once for each version of the rule. */
function createRuleWatch(store: Pick<Store, 'events' | 'outcomes'>): WatchRules {
  const lookedAt = new Map<string, number>();
  return async (project, now) => {
    if (now - (lookedAt.get(project.id) ?? Number.NEGATIVE_INFINITY) < RULES_EVERY_MS) return;
    lookedAt.set(project.id, now);
    for (const { rule, known, bad, baseRate } of await findRulesGoneBad(store, project, now)) {
      const message = `Rule ${rule.name} (${rule.id}) ${rule.then}s, but only ${bad} of ${known} people it hit are known to be bad: less than the ${percent(baseRate)} of everybody.`;
      await reportAlert(store, {
        projectId: project.id,
        type: 'rule.gone_bad',
        about: [rule.id, rule.changedAt ?? 0],
        at: now,
        data: { ruleId: rule.id, ruleName: rule.name, then: rule.then, known, bad, baseRate, message },
      });
    }
  };
}

const percent = (share: number) => `${Math.round(share * 100)}%`;
