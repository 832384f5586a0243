import { DAY_MS } from '@postern/contract';
import type { Reach } from '@postern/contract/dashboard';
import { InvalidInput, quoted } from '../administration/administration.ts';
import { inboxHashes, instanceHash } from '../administration/instance-hash.ts';
import { findProject } from '../administration/projects.ts';
import { type Cidr, cidrContains, parseCidr } from '../model/cidr.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import { LIST_VALUE_FORMS, type ListValue, parseListValue } from '../model/list-value.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { type DashboardHandlers, ok, type RouteCall } from './operation.ts';

const DAYS = 30;
/** Counting more takes seconds. Of a longer log the newest rows are counted, and the answer says since when. */
const ROWS_COUNTED = 100_000;

/** Whom entries of a list would have concerned: what to know before somebody is blocked or allowed. */
export const reachOperations = {
  'POST /projects/:id/reach': async (call) => ok(await reachOf(call, call.body.values)),
} satisfies Partial<DashboardHandlers>;

async function reachOf(
  { admin, params, longReads }: Pick<RouteCall<'POST /projects/:id/reach'>, 'admin' | 'params' | 'longReads'>,
  values: readonly string[],
): Promise<Reach> {
  const { log } = admin.store;
  const { id } = await findProject(admin, params.id);
  const read = values.map(readValue);
  const keyedHash = await instanceHash(admin);
  return longReads(async () => {
    const monthAgo = admin.now() - DAYS * DAY_MS;
    const since = await log.countableFrom(id, { from: monthAgo }, ROWS_COUNTED);
    const from = since ?? monthAgo;
    const inNetworks = read.some(({ kind }) => kind === 'ip' || kind === 'range');
    const networks = inNetworks ? await log.networksSince(id, from) : [];
    const [came, all] = await Promise.all([
      log.countPeople(id, from, filtersOf(read, keyedHash, networks)),
      log.countPeople(id, from, [{}]),
    ]);
    const { good, bad, unknown, times } = came;
    const people = good + bad + unknown;
    return { days: DAYS, since, people, good, bad, unknown, share: all.times === 0 ? 0 : times / all.times };
  });
}

function readValue(text: string): ListValue {
  const value = parseListValue(text);
  if (value === undefined) throw new InvalidInput('values', `${quoted(text)} is not ${LIST_VALUE_FORMS}.`);
  return value;
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
