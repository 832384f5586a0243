import { DAY_MS } from '@postern/contract';
import type { Reach } from '@postern/contract/dashboard';
import { type Cidr, cidrContains, parseCidr } from '../model/cidr.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import { type ListValue, parseListValue } from '../model/list-value.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import type { Administration } from './administration.ts';
import { findProject } from './change-project.ts';
import { inboxHashes, instanceHash } from './instance-hash.ts';
import { type DashboardHandlers, ok, type RouteCall } from './operation.ts';

export const DAYS = 30;
/** Counting more takes seconds. Of a longer log the newest rows are counted, and the answer says since when. */
export const ROWS_COUNTED = 100_000;

/** Whom entries of a list would have concerned: what to know before blocking or allowing. */
export const reachOperations = {
  'POST /projects/:id/reach': async (call) => ok(await reachOf(call, call.body.values)),
} satisfies Partial<DashboardHandlers>;

async function reachOf(
  { admin, params, longReads }: RouteCall<'POST /projects/:id/reach'>,
  values: readonly string[],
): Promise<Reach> {
  const { log } = admin.store;
  const { id } = await findProject(admin, params.id);
  const read = values.flatMap((text) => parseListValue(text) ?? []);
  const keyedHash = await instanceHash(admin);
  const inNetworks = read.some(({ kind }) => kind === 'ip' || kind === 'range');
  return longReads(() =>
    countReach(admin, id, async (from) =>
      filtersOf(read, keyedHash, inNetworks ? await log.networksSince(id, from) : []),
    ),
  );
}

/** Who passes one of the filters, among the rows of the last days or the newest that can be counted. */
export async function countReach(
  { store: { log }, now }: Pick<Administration, 'store' | 'now'>,
  projectId: string,
  filters: (from: number) => readonly LogFilter[] | Promise<readonly LogFilter[]>,
): Promise<Reach> {
  const monthAgo = now() - DAYS * DAY_MS;
  const since = await log.countableFrom(projectId, { from: monthAgo }, ROWS_COUNTED);
  const from = since ?? monthAgo;
  const { good, bad, unknown, times } = await log.countPeople(projectId, from, await filters(from));
  const all = await log.countPeople(projectId, from, [{}]);
  const people = good + bad + unknown;
  return { days: DAYS, since, people, good, bad, unknown, share: all.times === 0 ? 0 : times / all.times };
}

/** One filter for each kind of value. The log keeps networks and no addresses, so an address counts as its network. */
function filtersOf(
  values: readonly ListValue[],
  keyedHash: KeyedHash,
  networks: readonly string[],
): LogFilter[] {
  const of = <Kind extends ListValue['kind']>(...kinds: Kind[]) =>
    values.filter((value): value is Extract<ListValue, { kind: Kind }> =>
      (kinds as string[]).includes(value.kind),
    );
  const inboxes = [
    ...of('person').map(({ hash }) => hash),
    ...of('address').flatMap(({ text }) => inboxHashes(keyedHash, text)),
  ];
  const ranges = of('ip', 'range').map(({ cidr }) => cidr);
  const filters: LogFilter[] = [
    { inboxHash: inboxes },
    { deviceHash: of('device').map(({ hash }) => hash) },
    { domainUnder: of('domain').map(({ domain }) => domain) },
    { mailHost: of('mx').map(({ host }) => host) },
    { asn: of('asn').map(({ asn }) => asn) },
    { country: of('country').map(({ country }) => country) },
    { network: networks.filter((network) => ranges.some((range) => overlaps(network, range))) },
  ];
  return filters.filter((filter) => Object.values(filter).some(({ length }) => length > 0));
}

/** Whether two ranges have an address in common. One of them is written. */
export function overlaps(text: string, range: Cidr): boolean {
  const other = parseCidr(text);
  return other !== undefined && (cidrContains(other, range.base) || cidrContains(range, other.base));
}
