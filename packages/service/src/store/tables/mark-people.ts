import type { Database } from '../database.ts';
import { type SaidOfPerson, withOutcome } from '../settle/crowd.ts';
import { deviceWithOutcome } from '../settle/device.ts';
import { findInboxes, rewriteCrowds, rewriteDevices } from './sighting-table.ts';
import { OUTCOME } from './write-outcomes.ts';

/** How many people are read at once. */
const PEOPLE_AT_ONCE = 100;
const NOTHING: SaidOfPerson = { judgement: null, accepted: false };

/** Notes in crowds and devices what is known of these people by now, so that requests need not look it up. */
export async function markPeople(
  database: Database,
  projectId: string,
  inboxes: readonly string[],
): Promise<void> {
  const left = [...new Set(inboxes)];
  while (left.length > 0) {
    const some = left.splice(0, PEOPLE_AT_ONCE);
    const people = await findInboxes(database, projectId, some);
    const said = await saidOf(database, projectId, some);
    const marking =
      <Row>(mark: (row: Row, inbox: string, said: SaidOfPerson) => Row) =>
      (row: Row) =>
        some.reduce((marked, inbox) => mark(marked, inbox, said.get(inbox) ?? NOTHING), row);
    const things = people.flatMap((person) => person.things);
    await rewriteCrowds(database, projectId, things, marking(withOutcome));
    const devices = people.flatMap((person) => person.devices.map(([device]) => device));
    await rewriteDevices(database, projectId, devices, marking(deviceWithOutcome));
  }
}

async function saidOf(database: Database, projectId: string, inboxes: readonly string[]) {
  const outcomes = await OUTCOME.findAll(database.read, { projectId, inbox: inboxes });
  return new Map<string, SaidOfPerson>(
    outcomes.map(({ inbox, judgement, acceptedAt }) => [inbox, { judgement, accepted: acceptedAt !== null }]),
  );
}
