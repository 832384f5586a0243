import {
  LINKED_KINDS,
  type LinkedKind,
  type LinkedThings,
  THING_KINDS,
  type ThingView,
} from '@postern/contract/dashboard';
import { parseCidr } from '../model/cidr.ts';
import type { Project } from '../model/project.ts';
import type { LogRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import type { LinkedColumn } from '../store/tables/log-table.ts';
import { type Administration, InvalidInput, NotFound } from './administration.ts';
import { findProject } from './change-project.ts';
import { entriesOfInbox, listedEntries } from './listed-entries.ts';
import {
  type DashboardHandlers,
  ok,
  queryChoice,
  queryNumber,
  queryText,
  type RouteCall,
} from './operation.ts';
import { countReach, overlaps, ROWS_COUNTED } from './reach.ts';
import { filterOf } from './read-log-filter.ts';
import { readThing, type Thing } from './read-thing.ts';
import { readableAddress, readableDomain } from './readable-domain.ts';
import { countedFigures, loggedFigures } from './share-figures.ts';
import { factsOf, type ThingParts, titleOf } from './thing-facts.ts';
import { spanOf, type TimeSpan } from './time-span.ts';
import { validationRow } from './validation-row.ts';
import { PAGE_BUDGET_MS, search } from './validations.ts';

const ROWS_SHOWN = 50;
const LINKED_ON_PAGE = 20;
/** What the statistics do not count is counted from the log, up to this many rows. */
const ROWS_OF_FIGURES = 3_000;

const COLUMNS: Readonly<Record<LinkedKind, LinkedColumn>> = {
  ...{ person: 'inbox', device: 'device', domain: 'domain', network: 'network' },
  ...{ asn: 'asn', country: 'country' },
};

const FIELDS = {
  ...{ person: 'inboxHash', device: 'deviceHash', domain: 'domain', network: 'network' },
  ...{ asn: 'asn', country: 'country' },
} as const satisfies Record<LinkedKind, keyof LogFilter>;

/** Everything about one thing, whatever it is, and lists of things. */
export const thingRoutes = (parts: ThingParts) =>
  ({
    'GET /projects/:id/thing': async (call) => ok(await thingView(parts, call)),
    'GET /projects/:id/things': async (call) => {
      const project = await findProject(call.admin, call.params.id);
      const kind = queryChoice(call, 'kind', LINKED_KINDS);
      if (kind === undefined)
        throw new InvalidInput('kind', `kind must be one of ${LINKED_KINDS.join(', ')}.`);
      const filter = filterOf(call);
      const limit = queryNumber(call, 'limit', 1, 1_000) ?? ROWS_SHOWN;
      const things = await call.longReads(async () => {
        const since = await call.admin.store.log.countableFrom(project.id, filter, ROWS_COUNTED);
        const from = Math.max(filter.from ?? 0, since ?? 0);
        return { ...(await linkedBy(call.admin, project.id, { ...filter, from }, kind, limit)), since };
      });
      return ok(things);
    },
  }) satisfies Partial<DashboardHandlers>;

async function thingView(parts: ThingParts, call: RouteCall<'GET /projects/:id/thing'>): Promise<ThingView> {
  const { admin, longReads } = call;
  const project = await findProject(admin, call.params.id);
  const [kind, ...others] = THING_KINDS.filter((each) => queryText(call, each) !== undefined);
  if (kind === undefined || others.length > 0)
    throw new InvalidInput('kind', `Name one of ${THING_KINDS.join(', ')}.`);
  const thing = readThing(kind, queryText(call, kind) ?? '');
  const span = spanOf(call, admin.now());
  const { rows, more, ofFigures, complete } = await rowsOf(admin, project.id, thing, span);
  const [listed, facts, figures] = await Promise.all([
    listedAbout(admin, project, thing, rows),
    factsOf(parts, admin, project, thing, rows),
    figuresOf(admin, project.id, thing, span, ofFigures, complete),
  ]);
  const { linked, reach, firstSeen, since } = await longReads(() => countThing(admin, project.id, thing));
  const nothing =
    rows.length + listed.length === 0 && facts.judgement == null && (facts.seen?.times ?? 0) === 0;
  if (nothing && thing.kind === 'person')
    throw new NotFound(
      'The project has no data about this person. It may have been erased, or it is older than the retention period.',
    );
  return {
    ...{ kind, name: thing.name, title: titleOf(thing, facts), entry: thing.entry, figures },
    counted: thing.kind === 'domain' || thing.kind === 'asn' ? 'statistics' : 'log',
    ...{ reach, firstSeen, since, linked, listed, facts, more },
    validations: rows.slice(0, ROWS_SHOWN).map(validationRow),
  };
}

/** A person or a device may come twice a year: their rows are shown whatever the span is. */
async function rowsOf({ store, now }: Administration, projectId: string, thing: Thing, span: TimeSpan) {
  const { from, to } = span;
  const always = thing.kind === 'person' || thing.kind === 'device';
  const filter = always ? thing.filter : ({ ...thing.filter, mode: 'live', from, to } as const);
  const found = await search(store.log, projectId, filter, ROWS_OF_FIGURES, null, now, PAGE_BUDGET_MS);
  const remembered = thing.kind === 'person' ? await store.log.ofPeople(projectId, [thing.name]) : [];
  const byId = new Map([...found.rows, ...remembered].map((row) => [row.id, row]));
  const rows = [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
  const ofFigures = rows.filter(({ mode, at }) => mode === 'live' && at >= from && at < to);
  const complete = found.next === null;
  return { rows, ofFigures, complete, more: rows.length > ROWS_SHOWN || !complete };
}

function figuresOf(
  { store }: Administration,
  projectId: string,
  { kind, name }: Thing,
  span: TimeSpan,
  rows: readonly LogRow[],
  complete: boolean,
) {
  if (kind !== 'domain' && kind !== 'asn') return loggedFigures(rows, span, complete);
  const slots = store.statistics.read(projectId, span.previous.from, span.to);
  const isWord = (word: string) =>
    kind === 'domain' ? word === `domain:${name}` : word.startsWith(`asn:${name}/`);
  return countedFigures(slots, span, kind, isWord);
}

/** Counts in the log, and so one reader at a time. */
async function countThing(admin: Administration, projectId: string, thing: Thing) {
  const { log } = admin.store;
  const since = await log.countableFrom(projectId, {}, ROWS_COUNTED);
  const filter = { ...thing.filter, from: since ?? 0 };
  const linked: LinkedThings[] = [];
  for (const kind of LINKED_KINDS) {
    if (kind === thing.kind) continue;
    const found = await linkedBy(admin, projectId, filter, kind, LINKED_ON_PAGE);
    // Of a person’s device is told who else came with it: of the person alone, all of it is known.
    const names = found.rows.map(({ name }) => (kind === 'asn' ? Number(name) : name));
    const everybody = { [FIELDS[kind]]: names, from: filter.from };
    const withOthers = thing.kind === 'person' && names.length > 0;
    linked.push(withOthers ? await linkedBy(admin, projectId, everybody, kind, LINKED_ON_PAGE) : found);
  }
  const covered = thing.kind === 'domain' ? { domainUnder: thing.name } : thing.filter;
  const reach = await countReach(admin, projectId, () => [covered]);
  return { linked, reach, firstSeen: await log.firstAt(projectId, filter), since };
}

async function linkedBy(
  { store }: Administration,
  projectId: string,
  filter: LogFilter & { readonly from: number },
  kind: LinkedKind,
  limit: number,
): Promise<LinkedThings> {
  const found = await store.log.linked(projectId, filter, COLUMNS[kind], limit + 1);
  const rows = found.slice(0, limit);
  const newest =
    kind === 'person'
      ? await store.log.ofPeople(
          projectId,
          rows.map(({ name }) => name),
        )
      : [];
  const addresses = new Map(newest.map((row) => [row.inboxHash, readableAddress(row.maskedAddress)]));
  const titles: Partial<Record<LinkedKind, (name: string) => string>> = {
    person: (name) => addresses.get(name) ?? `${name.slice(0, 8)}…`,
    device: (name) => `${name.slice(0, 8)}…`,
    domain: readableDomain,
    asn: (name) => `AS${name}`,
  };
  const title = titles[kind] ?? ((name: string) => name);
  return { kind, rows: rows.map((row) => ({ ...row, title: title(row.name) })), more: found.length > limit };
}

function listedAbout(
  admin: Administration,
  project: Project,
  { kind, name, entry }: Thing,
  rows: readonly LogRow[],
) {
  if (kind === 'person') return entriesOfInbox(admin, project, name);
  const range = kind === 'network' ? parseCidr(name) : undefined;
  const operator = rows.find(({ asn }) => asn !== null)?.asn;
  return listedEntries(project, (value) => {
    if (range !== undefined) return overlaps(value, range) || value === `AS${operator}`;
    if (kind !== 'domain') return value === entry;
    return value === name || name.endsWith(`.${value}`) || value.endsWith(`@${name}`);
  });
}
