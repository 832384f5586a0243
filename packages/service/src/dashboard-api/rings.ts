import type { RingDetail, RingMemberView, RingsView, RingThingView } from '@postern/contract/dashboard';
import { type Administration, NotFound } from '../administration/administration.ts';
import { outcomesOf, RINGS_LISTED, ringsOf, ringView, ringViews, ringWith } from '../administration/rings.ts';
import { type ConcurrencyLimit, type DashboardHandlers, ok, queryText } from '../operations/operation.ts';
import { readableAddress } from '../operations/readable-domain.ts';
import type { Ring, RingThing } from '../rings/find-rings.ts';

const MEMBERS_SHOWN = 1_000;
const THINGS_SHOWN = 100;

/** Groups of people who belong together. */
export function ringRoutes({ longReads }: { readonly longReads: ConcurrencyLimit }) {
  return {
    'GET /projects/:id/rings': async (call) => {
      const { admin, params } = call;
      const found = await ringsOf(admin, params.id, longReads);
      const { rings, ...searched } = found;
      const of = queryText(call, 'of');
      const only = of === undefined ? undefined : ringWith(found, of);
      const listed = of === undefined ? rings.slice(0, RINGS_LISTED) : only === undefined ? [] : [only];
      const views = await ringViews(admin, params.id, listed);
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

async function ringDetail(admin: Administration, projectId: string, ring: Ring): Promise<RingDetail> {
  const outcomes = await outcomesOf(admin, projectId, [ring]);
  const shown = ring.members.slice(0, MEMBERS_SHOWN);
  const rows = await admin.store.log.ofPeople(
    projectId,
    shown.map(({ person }) => person.inbox),
  );
  const newest = new Map(rows.map((row) => [row.inboxHash, row]));
  return {
    ...ringView(ring, outcomes),
    members: shown.map(({ person, links }): RingMemberView => {
      const { inbox, domain, firstSeen, lastSeen, times, devices, networks, answer } = person;
      const row = newest.get(inbox);
      return {
        ...{ inbox, domain, firstSeen, lastSeen, times, answer },
        maskedAddress: row === undefined ? null : readableAddress(row.maskedAddress),
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
