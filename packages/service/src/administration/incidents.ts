import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { IncidentChangeRequest, IncidentSource, IncidentView } from '@postern/contract/dashboard';
import { INCIDENT_PAUSE_MS } from '../events/surges.ts';
import type { EventRow } from '../store/tables/event-table.ts';
import type { Incident } from '../store/tables/incident-table.ts';
import { type Administration, audit, InvalidInput, NotFound, quoted } from './administration.ts';
import { findProject } from './projects.ts';

const MAX_SURGES = 200;
/** A source that brought at least this part of a surge is behind it. The others were there too. */
const CULPRIT_SHARE = 0.3;
const SOURCES_SHOWN = 10;

export async function listIncidents(
  admin: Administration,
  projectId: string,
  limit: number,
  before: number | null,
): Promise<IncidentView[]> {
  const project = await findProject(admin, projectId);
  const incidents = await admin.store.incidents.page(project.id, limit, before);
  return Promise.all(incidents.map((incident) => factsOf(admin, incident)));
}

/** Changes what members do about an incident. */
export async function changeIncident(
  admin: Administration,
  projectId: string,
  id: string,
  fields: { readonly [Name in keyof IncidentChangeRequest]?: unknown },
): Promise<IncidentView> {
  const project = await findProject(admin, projectId);
  const incident = await admin.store.incidents.find(project.id, id);
  if (incident === undefined) throw new NotFound(`There is no incident ${quoted(id)}.`);
  const changed = { ...incident, ...readChange(admin.now(), incident, fields) };
  await admin.store.incidents.change(changed);
  await audit(admin, 'incident.change', project.id, { incidentId: id, ...fields });
  return factsOf(admin, changed);
}

function readChange(
  now: number,
  incident: Incident,
  { acknowledged, closed }: { readonly [Name in keyof IncidentChangeRequest]?: unknown },
): Partial<Incident> {
  const since = (name: string, said: unknown, before: number | null) => {
    if (typeof said !== 'boolean') throw new InvalidInput(name, `${name} must be true or false.`);
    return said ? (before ?? now) : null;
  };
  return {
    ...(acknowledged !== undefined && {
      acknowledgedAt: since('acknowledged', acknowledged, incident.acknowledgedAt),
    }),
    ...(closed !== undefined && { closedAt: since('closed', closed, incident.closedAt) }),
  };
}

async function factsOf(admin: Administration, incident: Incident): Promise<IncidentView> {
  const { projectId, id, firstAt, lastAt, acknowledgedAt, closedAt } = incident;
  const now = admin.now();
  const events = (
    await admin.store.events.between(
      projectId,
      'surge.detected',
      { from: firstAt, to: lastAt + HOUR_MS },
      MAX_SURGES,
    )
  ).filter(({ data }) => data.incident === id);
  const from = Math.min(firstAt, ...events.map(sinceOf));
  const span = { from, to: Math.min(now, lastAt + HOUR_MS) };
  return {
    id,
    firstAt,
    lastAt,
    ...span,
    state: stateOf(incident, now),
    acknowledgedAt,
    closedAt,
    surges: events.map(({ id: eventId, at, data }) => ({ id: eventId, at, data: { ...data } })),
    ...(await sourcesOf(admin, projectId, events, span)),
  };
}

/** An incident that nobody closed is over when no surge followed for a day. */
function stateOf({ closedAt, acknowledgedAt, lastAt }: Incident, now: number): IncidentView['state'] {
  if (closedAt !== null || lastAt < now - DAY_MS) return 'closed';
  if (acknowledgedAt !== null) return 'acknowledged';
  return lastAt < now - INCIDENT_PAUSE_MS ? 'paused' : 'open';
}

function sinceOf({ at, data }: EventRow): number {
  const since = typeof data.since === 'string' ? Date.parse(data.since) : Number.NaN;
  return Number.isNaN(since) ? at : since;
}

/** Domains and networks behind the surges, those that brought the most first. */
async function sourcesOf(
  { store }: Administration,
  projectId: string,
  events: readonly EventRow[],
  span: { from: number; to: number },
): Promise<Pick<IncidentView, 'sources'>> {
  const found = new Map<string, IncidentSource>();
  for (const { data } of events) {
    for (const [kind, list] of [
      ['domain', data.domains],
      ['network', data.networks],
    ] as const) {
      const own =
        data.kind === kind ? [{ name: data.name, count: data.count }] : Array.isArray(list) ? list : [];
      for (const { name, count, mailProvider } of own as Partial<IncidentSource>[]) {
        if (typeof name !== 'string' || typeof count !== 'number') continue;
        const before = found.get(`${kind} ${name}`);
        const behind =
          mailProvider !== true && (data.kind === kind || count >= CULPRIT_SHARE * Number(data.count));
        found.set(`${kind} ${name}`, {
          kind,
          name,
          count: Math.max(before?.count ?? 0, count),
          mailProvider: mailProvider === true,
          culprit: behind || before?.culprit === true,
          blocked: false,
        });
      }
    }
  }
  const sources = [...found.values()].sort(
    (one, other) => Number(other.culprit) - Number(one.culprit) || other.count - one.count,
  );
  return {
    sources: await Promise.all(
      sources.slice(0, SOURCES_SHOWN).map(async (source) => {
        if (!source.culprit) return source;
        const of = { [source.kind]: [source.name] };
        const letIn = { ...span, ...of, mode: 'live' as const, not: { recommendation: ['block'] as const } };
        const { rows } = await store.log.page(projectId, letIn, 1, null);
        return { ...source, blocked: rows.length === 0 };
      }),
    ),
  };
}
