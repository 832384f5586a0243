import { DAY_MS, REQUEST_EVENTS } from '@postern/contract';
import type { KeyView, SafetyItem } from '@postern/contract/dashboard';
import { type Cidr, cidrContains, cidrText, parseCidr } from '../model/cidr.ts';
import { CLOUDFLARE_IP_HEADER, CLOUDFLARE_NETWORKS } from '../model/edge-networks.ts';
import { monthlyQuota, type Project } from '../model/project.ts';
import { isReserved } from '../model/reserved-networks.ts';
import { slotOf } from '../store/statistics/statistics-words.ts';
import type { Administration } from './administration.ts';
import { findProject } from './change-project.ts';
import { DEMO_PROJECT_ID } from './first-start.ts';
import { listKeys } from './keys.ts';
import { type DashboardHandlers, ok } from './operation.ts';

/** The settings of the service that decide what strangers can reach; see `config.ts`. */
export interface ExposureSettings {
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[] | undefined;
  readonly clientIpHeader: string;
  readonly metricsToken: string | undefined;
}

export interface SafetyFacts {
  readonly settings: ExposureSettings;
  readonly projects: readonly Project[];
  /** The live keys of all projects, the demo project’s too. */
  readonly liveKeys: readonly Pick<KeyView, 'projectId' | 'lastUsedAt' | 'type' | 'mode'>[];
  /** The monthly quota of each plan. */
  readonly plans: ReadonlyMap<string, number>;
  /** How often one project was asked for each event lately; absent for all projects together. */
  readonly events?: ReadonlyMap<string, number> | undefined;
}

/** What strangers could take advantage of, for `postern doctor` and the dashboard. */
export function safetyChecklist(facts: SafetyFacts): SafetyItem[] {
  return [
    clientOverrides(facts),
    visitorRate(facts),
    serverReserve(facts),
    demoKeys(facts),
    clientAddress(facts),
    metrics(facts.settings),
    ...(facts.events === undefined ? [] : [doors(facts.events)]),
  ];
}

export const safetyOperations = ({ settings }: Pick<SafetyFacts, 'settings'>) =>
  ({
    'GET /projects/:id/safety': async ({ admin, params }) => {
      const { id } = await findProject(admin, params.id);
      return ok({ items: await readSafetyChecklist(admin, { settings, projectId: id }) });
    },
  }) satisfies Partial<DashboardHandlers>;

/** Reads what the checklist needs. Without a project ID it covers all projects that are not archived. */
export async function readSafetyChecklist(
  admin: Pick<Administration, 'store' | 'now' | 'plans'>,
  { projectId, ...facts }: Pick<SafetyFacts, 'settings'> & { readonly projectId?: string },
): Promise<SafetyItem[]> {
  const projects = (await admin.store.projects.list()).filter(
    ({ id, archivedAt }) => archivedAt === null && (projectId === undefined || id === projectId),
  );
  const liveKeys = (await listKeys(admin)).filter(({ status }) => status === 'active');
  const events = projectId === undefined ? undefined : await eventsOf(admin, projectId);
  return safetyChecklist({ ...facts, projects, liveKeys, plans: admin.plans, events });
}

type Answer = { readonly finding: string; readonly fix: string };
type Subject = Pick<SafetyItem, 'id' | 'title' | 'place'>;

const safe = (subject: Subject, finding: string): SafetyItem => ({
  ...subject,
  safe: true,
  finding,
  fix: null,
  projects: [],
});
const unsafe = (subject: Subject, answer: Answer, projects: readonly string[] = []): SafetyItem => ({
  ...subject,
  safe: false,
  ...answer,
  projects: [...projects],
});

/** Projects whose client key strangers can read on a page, and that fit the condition. */
function publicProjects(
  { projects, liveKeys }: SafetyFacts,
  condition: (project: Project) => boolean,
): string[] {
  const withClientKey = new Set(
    liveKeys.filter(({ type, mode }) => type === 'client' && mode === 'live').map((key) => key.projectId),
  );
  return projects
    .filter((project) => withClientKey.has(project.id) && condition(project))
    .map(({ id }) => id);
}

function clientOverrides(facts: SafetyFacts): SafetyItem {
  const subject = { id: 'client-overrides', title: 'Client overrides', place: 'policy' } as const;
  const open = publicProjects(facts, ({ policy }) => policy.clientOverrides === 'allow');
  if (open.length === 0) return safe(subject, 'Requests with a client key cannot weaken the policy.');
  const finding = 'A client key is public, and with it anyone can ask with weaker checks.';
  return unsafe(subject, { finding, fix: 'Let requests with a client key only make checks stricter.' }, open);
}

function visitorRate(facts: SafetyFacts): SafetyItem {
  const subject = { id: 'visitor-rate', title: 'Visitor rate', place: 'settings' } as const;
  const open = publicProjects(facts, (project) => project.visitorRate === 0);
  if (open.length === 0) return safe(subject, 'One visitor cannot use up the hour of all others.');
  const finding = 'One visitor can use up the hourly rate of all client keys.';
  return unsafe(subject, { finding, fix: 'Limit how many requests an hour one visitor can make.' }, open);
}

function serverReserve(facts: SafetyFacts): SafetyItem {
  const subject = { id: 'server-reserve', title: 'Server reserve', place: 'settings' } as const;
  const open = publicProjects(facts, (project) => project.serverReserve === 0);
  const closed = publicProjects(
    facts,
    (project) => project.serverReserve >= monthlyQuota(project, facts.plans),
  );
  if (closed.length > 0) {
    const finding = 'The reserve is the whole monthly quota, so every request with a client key gets 402.';
    return unsafe(subject, { finding, fix: 'Make the reserve smaller than the monthly quota.' }, closed);
  }
  if (open.length === 0) return safe(subject, 'Client keys cannot use up the quota of server keys.');
  const finding =
    'Strangers can use up the whole monthly quota with the public client key. Your backend then gets 402.';
  return unsafe(subject, { finding, fix: 'Reserve a part of the monthly quota for server keys.' }, open);
}

function demoKeys({ settings, liveKeys }: SafetyFacts): SafetyItem {
  const subject = { id: 'demo-keys', title: 'Demo keys', place: 'keys' } as const;
  const demo = liveKeys.filter(({ projectId }) => projectId === DEMO_PROJECT_ID);
  if (demo.length === 0) return safe(subject, 'No live key belongs to the demo project.');
  if (!isPublic(settings)) return safe(subject, 'Only this machine can use the demo project’s keys.');
  const use = demo.some(({ lastUsedAt }) => lastUsedAt !== null) ? 'are in use' : 'still work';
  const finding = `The demo project’s keys ${use} on a public address. The first start printed them to the log.`;
  const fix = 'Create a project of your own, and revoke the demo project’s keys.';
  return unsafe(subject, { finding, fix }, [DEMO_PROJECT_ID]);
}

const EDGE: readonly Cidr[] = CLOUDFLARE_NETWORKS.flatMap((range) => parseCidr(range) ?? []);
/** Wider ranges are never the proxies of one operator. */
const WIDEST_PREFIX = { 4: 8, 6: 19 } as const;

/**
 * Whether visitors could choose the address they are judged by. The service cannot see what a proxy removes, so this
 * looks at who is allowed to state an address.
 */
function clientAddress({ settings }: SafetyFacts): SafetyItem {
  const subject = { id: 'client-address', title: 'Client address', place: 'environment' } as const;
  const { trustedProxies, clientIpHeader, host } = settings;
  const ranges = (trustedProxies ?? []).flatMap((range) => parseCidr(range) ?? []);
  const doubtful = ranges.filter(
    (range) =>
      isTooWide(range) || (isOutside(range) && clientIpHeader === CLOUDFLARE_IP_HEADER.toLowerCase()),
  );
  if (doubtful.length > 0)
    return unsafe(subject, {
      finding: `POSTERN_TRUSTED_PROXIES has public addresses that are not the edge network’s (${listed(doubtful)}). Visitors can choose the address they are judged by, unless every proxy there removes ${clientIpHeader} from what it receives.`,
      fix: 'List only your own proxies, and set POSTERN_CLIENT_IP_HEADER to the header that they always set themselves.',
    });
  if (trustedProxies === undefined && !isLoopback(host))
    return unsafe(subject, {
      finding: `The service listens on ${host} and lets every private address state who the visitor is. If a container engine or a NAT forwards the port, visitors themselves come from a private address.`,
      fix: 'Set POSTERN_TRUSTED_PROXIES to your proxy’s address, to none if visitors connect directly, or to private if only your own proxies can reach the port.',
    });
  return safe(subject, 'Only your own proxies can state a visitor’s address.');
}

function isTooWide({ base, prefixLength }: Cidr): boolean {
  return prefixLength < WIDEST_PREFIX[base.version];
}

/** Whether the range has public addresses that are not the edge network’s. */
function isOutside(range: Cidr): boolean {
  const inEdge = EDGE.some(
    (edge) => edge.prefixLength <= range.prefixLength && cidrContains(edge, range.base),
  );
  return !inEdge && !isReserved(range.base);
}

function listed(ranges: readonly Cidr[]): string {
  const shown = ranges.slice(0, 3).map(cidrText).join(', ');
  return ranges.length > 3 ? `${shown} and ${ranges.length - 3} more` : shown;
}

/** How often the project was asked for each event. */
async function eventsOf({ store, now }: Pick<Administration, 'store' | 'now'>, projectId: string) {
  const events = new Map<string, number>();
  for await (const portion of store.statistics.read(projectId, slotOf(now() - ASKED_MS), now() + 1))
    for (const { counts } of portion)
      for (const [word, count] of counts)
        if (word.startsWith('event:')) events.set(word.slice(6), (events.get(word.slice(6)) ?? 0) + count);
  return events;
}

const ASKED_MS = 7 * DAY_MS;
/** A site that is only tried out has not built its other doors yet. */
const FEWEST_ASKED = 100;

/** Who is stopped at one door comes through the next. */
function doors(events: ReadonlyMap<string, number>): SafetyItem {
  const subject = { id: 'doors', title: 'Doors', place: 'environment' } as const;
  const silent = Object.keys(REQUEST_EVENTS).filter((event) => !events.has(event));
  const asked = [...events.values()].reduce((sum, count) => sum + count, 0);
  if (asked === 0) return safe(subject, 'No door asked within 7 days.');
  if (silent.length === 0) return safe(subject, 'Every door of an account asked within 7 days.');
  const finding = `Nobody asked within 7 days for: ${silent.join(', ')}.`;
  if (events.size > 1 || asked < FEWEST_ASKED) return safe(subject, finding);
  const fix = 'Where your site has these doors, ask there too, and name the door in the request’s event.';
  return unsafe(subject, { finding, fix });
}

function metrics(settings: ExposureSettings): SafetyItem {
  const subject = { id: 'metrics', title: 'Metrics', place: 'environment' } as const;
  if (settings.metricsToken !== undefined) return safe(subject, '/metrics asks for its token.');
  if (!isPublic(settings)) return safe(subject, '/metrics answers only this machine.');
  return unsafe(subject, {
    finding:
      '/metrics answers every private address without a token. A proxy or a forwarded port that hides the visitor’s address makes every visitor private.',
    fix: 'Set POSTERN_METRICS_TOKEN.',
  });
}

/** Whether others than this machine can reach the service. */
function isPublic({ host, publicUrl }: ExposureSettings): boolean {
  return !isLoopback(host) || (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname));
}

function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d+){3}|\[?::1\]?|(?:.+\.)?localhost)$/i.test(host);
}
