import type {
  LatelyShared,
  SharedGroup,
  SharedInbox,
  SharingTotals,
  SharingView,
} from '@postern/contract/dashboard';
import { findProject } from '../administration/projects.ts';
import type { LogRow, SightingRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { timeOfId } from '../store/timed-id.ts';
import { listedEntries } from './listed-entries.ts';
import { type DashboardCall, type DashboardHandlers, ok } from './operation.ts';
import { entriesOfInbox, spellingsIn } from './people.ts';
import { readableAddress } from './readable-domain.ts';
import { validationRow } from './validation-row.ts';
import { PAGE_BUDGET_MS, search } from './validations.ts';

const SIGHTINGS_SHOWN = 100;
/** How many results are followed one step further, to other devices with the same inbox. */
const FOLLOWED = 20;
const RECENT_SHOWN = 20;
const LATELY_ROWS = 400;
const LATELY_SHOWN = 20;
/** Of all inboxes in the list together, to count their spellings. */
const SPELLING_ROWS = 2_000;
/** More than anyone looks at. A count that reaches it means “at least”. */
const SIGHTINGS_COUNTED = 1_000;

/** One device or one inbox: what was seen with it, and what else was seen with that. */
export const sharingRoutes = {
  'GET /projects/:id/shared': async (call) => {
    const project = await findProject(call.admin, call.params.id);
    return ok(await latelyShared(call, project.id));
  },
  'GET /projects/:id/devices/:hash': async (call) => ok(await sharing(call, 'device')),
  'GET /projects/:id/inboxes/:hash': async (call) => ok(await sharing(call, 'inbox')),
} satisfies Partial<DashboardHandlers>;

const SIGNAL_OF = { device: 'device_reuse', inbox: 'alias_reuse' } as const;

/** What the newest validations found shared, both kinds in one search. */
async function latelyShared({ admin }: DashboardCall, projectId: string): Promise<LatelyShared> {
  const { store, now } = admin;
  const filter = { signal: Object.values(SIGNAL_OF) };
  const { rows, next } = await search(store.log, projectId, filter, LATELY_ROWS, null, now, PAGE_BUDGET_MS);
  const groups = (kind: SharingView['kind']) => {
    const found = rows.filter(({ signals }) => signals.includes(SIGNAL_OF[kind]));
    return groupsOf(admin, projectId, kind, found);
  };
  const inboxes = await withSpellings(admin, projectId, await groups('inbox'), rows);
  const searched = [next === null || rows.length === LATELY_ROWS ? 0 : timeOfId(next), inboxes.searchedSince];
  return {
    devices: await groups('device'),
    inboxes: inboxes.groups,
    searchedSince: Math.max(...searched) || null,
  };
}

/** Only some of an inbox’s rows have the signal: the first one never has it. Every row has its spelling. */
async function withSpellings(
  { store, now }: DashboardCall['admin'],
  projectId: string,
  groups: readonly SharedGroup[],
  known: readonly LogRow[],
): Promise<{ groups: SharedInbox[]; searchedSince: number }> {
  if (groups.length === 0) return { groups: [], searchedSince: 0 };
  const filter = { inboxHash: groups.map(({ hash }) => hash), mode: 'live' } as const;
  const { rows, next } = await search(store.log, projectId, filter, SPELLING_ROWS, null, now, PAGE_BUDGET_MS);
  const counted = groups.map((group) => ({
    ...group,
    spellings: spellingsIn([...known, ...rows].filter(({ inboxHash }) => inboxHash === group.hash)),
  }));
  return {
    groups: counted.sort((one, other) => other.spellings - one.spellings || other.found - one.found),
    searchedSince: next === null ? 0 : timeOfId(next),
  };
}

/** The devices with the most inboxes in these rows, or the inboxes with the most spellings, largest first, with the counts that their own pages show. */
async function groupsOf(
  admin: DashboardCall['admin'],
  projectId: string,
  kind: SharingView['kind'],
  rows: readonly LogRow[],
): Promise<SharedGroup[]> {
  const groups = new Map<string, LogRow[]>();
  for (const row of rows) {
    const hash = kind === 'device' ? row.deviceHash : row.inboxHash;
    if (hash !== null) groups.set(hash, [...(groups.get(hash) ?? []), row]);
  }
  const differentIn = (found: readonly LogRow[]) =>
    new Set(found.map((row) => (kind === 'device' ? row.inboxHash : row.spelling))).size;
  const most = [...groups]
    .sort(([, one], [, other]) => differentIn(other) - differentIn(one) || other.length - one.length)
    .slice(0, LATELY_SHOWN);
  const shown = await Promise.all(
    most.map(async ([hash, found]) => ({
      hash,
      found: found.length,
      ...(await totalsOf(admin, projectId, kind, hash)),
      addresses: [...new Set(found.map(({ maskedAddress }) => readableAddress(maskedAddress)))].slice(0, 5),
      lastAt: Math.max(...found.map(({ at }) => at)),
    })),
  );
  const sizeOf = (group: SharedGroup) => (kind === 'device' ? group.others : group.found);
  return shown.sort((one, other) => sizeOf(other) - sizeOf(one) || other.times - one.times);
}

/** How often one was seen, and with how many of the other kind. The list and the page both use this. */
async function totalsOf(
  { store }: DashboardCall['admin'],
  projectId: string,
  kind: SharingView['kind'],
  hash: string,
): Promise<SharingTotals> {
  const read = kind === 'device' ? store.memory.sightingsOfDevice : store.memory.sightingsOfInbox;
  const rows = await read(projectId, hash, SIGHTINGS_COUNTED);
  return { times: rows.reduce((sum, { count }) => sum + count, 0), others: rows.length };
}

async function sharing(call: DashboardCall<'id' | 'hash'>, kind: SharingView['kind']): Promise<SharingView> {
  const { admin } = call;
  const { memory } = admin.store;
  const project = await findProject(admin, call.params.id);
  const hash = call.params.hash;
  const [near, far, follow] =
    kind === 'device'
      ? [memory.sightingsOfDevice, memory.sightingsOfInbox, (row: SightingRow) => row.inboxHash]
      : [memory.sightingsOfInbox, memory.sightingsOfDevice, (row: SightingRow) => row.deviceHash];
  const first = await near(project.id, hash, SIGHTINGS_SHOWN);
  const followed = [...new Set(first.map(follow))].slice(0, FOLLOWED);
  const second = await Promise.all(followed.map((other) => far(project.id, other, SIGHTINGS_SHOWN)));
  const filter = kind === 'device' ? { deviceHash: hash } : { inboxHash: hash };
  const recent = await recentRows(admin, project.id, filter, first);
  return {
    kind,
    hash,
    ...(await totalsOf(admin, project.id, kind, hash)),
    sightings: distinct([...first, ...second.flat()])
      .slice(0, 2 * SIGHTINGS_SHOWN)
      .map(sightingView),
    recent: recent.map(validationRow),
    listed:
      kind === 'device'
        ? listedEntries(project, (value) => value === `device:${hash}`)
        : await entriesOfInbox(admin, project, hash),
  };
}

/**
 * The last time of a sighting is the time of a log row, so those rows are found without a search. An inbox without a
 * device has no sightings. Only then is the log searched.
 */
async function recentRows(
  { store, now }: DashboardCall['admin'],
  projectId: string,
  filter: LogFilter,
  sightings: readonly SightingRow[],
): Promise<LogRow[]> {
  if (sightings.length === 0)
    return (await search(store.log, projectId, filter, RECENT_SHOWN, null, now)).rows;
  const moments = [...new Set(sightings.map(({ lastSeen }) => lastSeen))].slice(0, RECENT_SHOWN);
  const pages = await Promise.all(
    moments.map((at) => store.log.page(projectId, { ...filter, from: at, to: at + 1 }, RECENT_SHOWN, null)),
  );
  return pages.flatMap(({ rows }) => rows).slice(0, RECENT_SHOWN);
}

function distinct(rows: readonly SightingRow[]): SightingRow[] {
  return [...new Map(rows.map((row) => [`${row.deviceHash} ${row.inboxHash}`, row])).values()];
}

function sightingView({ deviceHash, inboxHash, firstSeen, lastSeen, count }: SightingRow) {
  return { device: deviceHash, inbox: inboxHash, firstSeen, lastSeen, count };
}
