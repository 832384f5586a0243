import type { SharingView } from '@postern/contract/dashboard';
import { findProject } from '../administration/projects.ts';
import type { SightingRow } from '../store/store.ts';
import { type DashboardCall, type DashboardRoute, ok, param } from './route.ts';
import { validationRow } from './validation-row.ts';
import { search } from './validations.ts';

const SIGHTINGS_SHOWN = 100;
/** Of those found, so many are followed one step further: which other devices brought the same inbox. */
const FOLLOWED = 20;
const RECENT_SHOWN = 20;

/** One device or one inbox, what was seen of it, and what that was seen with elsewhere. */
export const sharingRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/projects/:id/devices/:hash',
    access: 'viewer',
    run: async (call) => ok(await sharing(call, 'device')),
  },
  {
    method: 'GET',
    path: '/projects/:id/inboxes/:hash',
    access: 'viewer',
    run: async (call) => ok(await sharing(call, 'inbox')),
  },
];

async function sharing(call: DashboardCall, kind: SharingView['kind']): Promise<SharingView> {
  const { admin } = call;
  const { memory, log } = admin.store;
  const project = await findProject(admin, param(call, 'id'));
  const hash = param(call, 'hash');
  const [near, far, follow] =
    kind === 'device'
      ? [memory.sightingsOfDevice, memory.sightingsOfInbox, (row: SightingRow) => row.inboxHash]
      : [memory.sightingsOfInbox, memory.sightingsOfDevice, (row: SightingRow) => row.deviceHash];
  const first = await near(project.id, hash, SIGHTINGS_SHOWN);
  const followed = [...new Set(first.map(follow))].slice(0, FOLLOWED);
  const second = await Promise.all(followed.map((other) => far(project.id, other, SIGHTINGS_SHOWN)));
  const filter = kind === 'device' ? { deviceHash: hash } : { inboxHash: hash };
  const recent = await search(log, project.id, filter, RECENT_SHOWN, null, admin.now);
  return {
    kind,
    hash,
    sightings: distinct([...first, ...second.flat()])
      .slice(0, 2 * SIGHTINGS_SHOWN)
      .map(sightingView),
    recent: recent.rows.map(validationRow),
  };
}

function distinct(rows: readonly SightingRow[]): SightingRow[] {
  return [...new Map(rows.map((row) => [`${row.deviceHash} ${row.inboxHash}`, row])).values()];
}

function sightingView({ deviceHash, inboxHash, firstSeen, lastSeen, count }: SightingRow) {
  return { device: deviceHash, inbox: inboxHash, firstSeen, lastSeen, count };
}
