import type { PersonView } from '@postern/contract/dashboard';
import { type Administration, NotFound } from '../administration/administration.ts';
import { OWN_LISTS } from '../administration/own-list-entries.ts';
import { findProject } from '../administration/projects.ts';
import type { Project } from '../model/project.ts';
import type { LogRow } from '../store/store.ts';
import { judgementOf } from './judgements.ts';
import { type DashboardCall, type DashboardHandlers, ok } from './operation.ts';
import { entriesNaming } from './personal-data.ts';
import { readableAddress } from './readable-domain.ts';
import { validationRow } from './validation-row.ts';
import { search } from './validations.ts';

const VALIDATIONS_SHOWN = 100;
const DEVICES_SHOWN = 100;

export const peopleRoutes = {
  'GET /projects/:id/people/:inbox': async (call) => ok(await personView(call)),
} satisfies Partial<DashboardHandlers>;

async function personView(call: DashboardCall<'id' | 'inbox'>): Promise<PersonView> {
  const { admin } = call;
  const project = await findProject(admin, call.params.id);
  const inbox = call.params.inbox;
  const { store, now } = admin;
  const sightings = await store.memory.sightingsOfInbox(project.id, inbox, DEVICES_SHOWN);
  const [found, remembered, outcome, listed] = await Promise.all([
    search(store.log, project.id, { inboxHash: inbox }, VALIDATIONS_SHOWN, null, now),
    store.log.ofPeople(project.id, [inbox]),
    store.outcomes.find(project.id, inbox),
    entriesOfInbox(admin, project, inbox),
  ]);
  const byId = new Map([...found.rows, ...remembered].map((row) => [row.id, row]));
  const rows = [...byId.values()]
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, VALIDATIONS_SHOWN);
  if (rows.length + sightings.length + listed.length === 0 && outcome === undefined)
    throw new NotFound(
      'The project has no data about this person. It may have been erased, or it is older than the retention period.',
    );
  return {
    inbox,
    judgement: judgementOf(outcome),
    addresses: [...new Set(rows.map(({ maskedAddress }) => readableAddress(maskedAddress)))],
    spellings: spellingsIn(rows),
    domain: rows[0]?.domain ?? null,
    validations: rows.map(validationRow),
    more: found.next !== null,
    devices: sightings.map(({ deviceHash, firstSeen, lastSeen, count }) => ({
      device: deviceHash,
      firstSeen,
      lastSeen,
      count,
    })),
    listed,
  };
}

/** How many spellings of their inbox these rows have. A test key’s requests are not people. */
export function spellingsIn(rows: readonly LogRow[]): number {
  return new Set(rows.filter(({ mode }) => mode === 'live').map(({ spelling }) => spelling)).size;
}

/** Entries of the lists that decide a request, if they name an address of this inbox, or the person. */
export async function entriesOfInbox(
  admin: Administration,
  project: Project,
  inbox: string,
): Promise<PersonView['listed']> {
  const entries = await entriesNaming(admin, project, { inboxes: [inbox], devices: [] });
  return entries.flatMap(({ list, entry }) =>
    OWN_LISTS.filter((own) => own === list).map((own) => ({ list: own, entry })),
  );
}
