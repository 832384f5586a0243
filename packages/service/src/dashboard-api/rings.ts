import type {
  RingDetail,
  RingMemberView,
  RingsView,
  RingThingView,
  RingView,
} from '@postern/contract/dashboard';
import { type Administration, NotFound } from '../administration/administration.ts';
import { ringsOf, ringWith } from '../administration/rings.ts';
import type { Ring, RingThing } from '../rings/find-rings.ts';
import type { LogRow } from '../store/store.ts';
import type { PersonOutcome } from '../store/tables/outcome-table.ts';
import { type DashboardHandlers, ok, queryText } from './route.ts';
import type { LongReadParts } from './validations.ts';

const RINGS_LISTED = 100;
const MEMBERS_SHOWN = 1_000;
const THINGS_SHOWN = 100;
const DOMAINS_NAMED = 3;
const MOMENTS_AT_ONCE = 500;

type Outcomes = ReadonlyMap<string, PersonOutcome>;

/** Groups of people who belong together. */
export function ringRoutes({ longReads }: LongReadParts) {
  return {
    'GET /projects/:id/rings': async (call) => {
      const { admin, params } = call;
      const found = await ringsOf(admin, params.id, longReads);
      const { rings, ...searched } = found;
      const of = queryText(call, 'of');
      const only = of === undefined ? undefined : ringWith(found, of);
      const listed = of === undefined ? rings.slice(0, RINGS_LISTED) : only === undefined ? [] : [only];
      const outcomes = await outcomesOf(admin, params.id, listed);
      const views = listed.map((ring) => ringView(ring, outcomes));
      return ok({ rings: views, total: rings.length, ...searched } satisfies RingsView);
    },
    'GET /projects/:id/rings/:hash': async ({ admin, params }) => {
      const ring = ringWith(await ringsOf(admin, params.id, longReads), params.hash);
      if (ring === undefined)
        throw new NotFound(
          'There is no ring with this person or device. It may be older than what was searched.',
        );
      return ok(await ringDetail(admin, params.id, ring));
    },
  } satisfies Partial<DashboardHandlers>;
}

function outcomesOf(
  { store }: Administration,
  projectId: string,
  rings: readonly Ring[],
): Promise<ReadonlyMap<string, PersonOutcome>> {
  const inboxes = rings.flatMap(({ members }) => members.map(({ person }) => person.inbox));
  return store.outcomes.findMany(projectId, inboxes);
}

function ringView(
  { members, devices, networks, domains, firstSeen, lastSeen }: Ring,
  outcomes: Outcomes,
): RingView {
  const known = members.map(({ person }) => outcomes.get(person.inbox)?.judgement ?? null);
  const answered = (answer: string) => members.filter(({ person }) => person.answer === answer).length;
  return {
    id: members[0]?.person.inbox ?? '',
    people: members.length,
    devices: devices.filter(({ isCommon }) => !isCommon).length,
    networks: networks.length,
    domains: domains.slice(0, DOMAINS_NAMED).map(({ name }) => name),
    domainCount: domains.length,
    firstSeen,
    lastSeen,
    bad: known.filter((judgement) => judgement === 'bad').length,
    good: known.filter((judgement) => judgement === 'good').length,
    answers: { allow: answered('allow'), flag: answered('flag'), block: answered('block') },
  };
}

async function ringDetail(admin: Administration, projectId: string, ring: Ring): Promise<RingDetail> {
  const outcomes = await outcomesOf(admin, projectId, [ring]);
  const shown = ring.members.slice(0, MEMBERS_SHOWN);
  const moments = shown.map(({ person }) => person.lastSeen);
  const rows: LogRow[] = [];
  for (let at = 0; at < moments.length; at += MOMENTS_AT_ONCE)
    rows.push(...(await admin.store.log.at(projectId, moments.slice(at, at + MOMENTS_AT_ONCE))));
  const newest = new Map(rows.filter(({ mode }) => mode === 'live').map((row) => [row.inboxHash, row]));
  return {
    ...ringView(ring, outcomes),
    members: shown.map(({ person, links }): RingMemberView => {
      const { inbox, domain, firstSeen, lastSeen, times, devices, networks, answer } = person;
      const row = newest.get(inbox);
      return {
        ...{ inbox, domain, firstSeen, lastSeen, times, answer },
        maskedAddress: row?.maskedAddress ?? null,
        devices: [...devices],
        networks: [...networks],
        outcome: outcomes.get(inbox)?.judgement ?? null,
        validation: row?.id ?? null,
        links: [...links],
      };
    }),
    allDevices: things(ring.devices),
    allNetworks: things(ring.networks),
    allDomains: things(ring.domains),
  };
}

const things = (all: readonly RingThing[]): RingThingView[] => all.slice(0, THINGS_SHOWN);
