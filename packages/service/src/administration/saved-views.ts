import {
  LOG_FILTER_NAMES,
  type LogFilters,
  type SavedView,
  VIEW_ALERT_SPANS,
  type ViewAlert,
} from '@postern/contract/dashboard';
import { type Administration, InvalidInput, NotFound, quoted, randomId, readLine } from './administration.ts';
import { findProject } from './projects.ts';

const MAX_VIEWS = 50;
/** Each costs a query a minute. */
const MAX_ALERTS = 10;
const MAX_MATCHES = 1_000_000;
const MAX_NAME_LENGTH = 60;
const MAX_VALUE_LENGTH = 300;
const NAMES: readonly string[] = LOG_FILTER_NAMES;

interface ViewFields {
  readonly name?: unknown;
  readonly filters?: unknown;
  readonly shared?: unknown;
  readonly alert?: unknown;
}

/** The acting member’s saved views of a project’s log and those that others share, by name. */
export async function listViews(admin: Administration, projectId: string): Promise<SavedView[]> {
  const project = await findProject(admin, projectId);
  const [views, members] = await Promise.all([
    admin.store.views.list(project.id, admin.actor),
    admin.store.members.list(),
  ]);
  const names = new Map(members.map(({ id, name }) => [id, name]));
  return views.map(({ memberId, shared, alertAtLeast, alertSpan, ...view }) => ({
    ...view,
    shared: shared === 1,
    alert: alertAtLeast === 0 ? null : { atLeast: alertAtLeast, span: alertSpan },
    // Somebody who left shares nothing any more, so the name is known.
    owner: memberId === admin.actor ? null : (names.get(memberId) ?? memberId),
  }));
}

export async function addView(
  admin: Administration,
  projectId: string,
  { name, filters, shared, alert }: ViewFields,
): Promise<SavedView> {
  const project = await findProject(admin, projectId);
  const view = {
    id: randomId('view_', 12, admin.randomBytes),
    name: readName(name),
    filters: readFilters(filters),
    shared: readShared(shared) ?? false,
    alert: readAlert(alert) ?? null,
    createdAt: admin.now(),
  };
  if (view.alert !== null) await refuseManyAlerts(admin, project.id, view.id);
  const { alert: wanted, ...stored } = view;
  const result = await admin.store.views.add(
    {
      ...stored,
      shared: Number(view.shared),
      alertAtLeast: wanted?.atLeast ?? 0,
      alertSpan: wanted?.span ?? 'hour',
      projectId: project.id,
      memberId: admin.actor,
    },
    MAX_VIEWS,
  );
  if (result === 'full')
    throw new InvalidInput('name', `You have ${MAX_VIEWS} views of this project. Delete one first.`);
  if (result === 'name-taken') throw nameTaken(view.name);
  return { ...view, owner: null };
}

export async function changeView(
  admin: Administration,
  projectId: string,
  id: string,
  { name, filters, shared, alert }: ViewFields,
): Promise<void> {
  const told = readAlert(alert);
  if (told) await refuseManyAlerts(admin, projectId, id);
  const wanted = name === undefined ? undefined : readName(name);
  const result = await admin.store.views.change({
    projectId,
    memberId: admin.actor,
    id,
    name: wanted,
    filters: filters === undefined ? undefined : readFilters(filters),
    shared: readShared(shared),
    alert: told,
  });
  if (result === 'unknown') throw unknownView();
  if (result === 'name-taken') throw nameTaken(wanted ?? '');
}

export async function removeView(admin: Administration, projectId: string, id: string): Promise<void> {
  if (!(await admin.store.views.remove(projectId, admin.actor, id))) throw unknownView();
}

const unknownView = () => new NotFound('You have no such view of this project.');
const nameTaken = (name: string) =>
  new InvalidInput('name', `You already have a view named ${quoted(name)}. Choose another name.`);

function readShared(shared: unknown): boolean | undefined {
  if (shared === undefined || typeof shared === 'boolean') return shared;
  throw new InvalidInput('shared', 'shared must be true or false.');
}

function readAlert(alert: unknown): ViewAlert | null | undefined {
  if (alert === undefined || alert === null) return alert;
  const { atLeast, span } = alert as Record<string, unknown>;
  const isCount = Number.isSafeInteger(atLeast) && Number(atLeast) >= 1 && Number(atLeast) <= MAX_MATCHES;
  const found = VIEW_ALERT_SPANS.find((one) => one === span);
  if (!isCount || found === undefined)
    throw new InvalidInput(
      'alert',
      `alert must be null or have atLeast, a whole number from 1 to ${MAX_MATCHES}, and span: ${VIEW_ALERT_SPANS.join(' or ')}.`,
    );
  return { atLeast: Number(atLeast), span: found };
}

async function refuseManyAlerts(admin: Administration, projectId: string, id: string): Promise<void> {
  const others = (await admin.store.views.withAlert(projectId, MAX_ALERTS + 1)).filter(
    (view) => view.id !== id,
  );
  if (others.length >= MAX_ALERTS)
    throw new InvalidInput('alert', `This project has alerts on ${MAX_ALERTS} views. Take one away first.`);
}

function readName(text: unknown): string {
  const name = readLine(text, MAX_NAME_LENGTH);
  if (name === undefined)
    throw new InvalidInput('name', `name must be one line of 1 to ${MAX_NAME_LENGTH} characters.`);
  return name;
}

function readFilters(filters: unknown): LogFilters {
  if (typeof filters !== 'object' || filters === null || Array.isArray(filters))
    throw new InvalidInput('filters', 'filters must be an object.');
  for (const [name, value] of Object.entries(filters)) {
    if (!NAMES.includes(name))
      throw new InvalidInput(
        'filters',
        `Unknown filter: ${quoted(name)}. Known filters: ${NAMES.join(', ')}.`,
      );
    const isText =
      typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(value);
    if (!isText && !Number.isSafeInteger(value))
      throw new InvalidInput(
        'filters',
        `${name} must be a text of at most ${MAX_VALUE_LENGTH} characters or a whole number.`,
      );
  }
  return filters as LogFilters;
}
