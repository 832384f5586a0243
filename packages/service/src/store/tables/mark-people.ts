import { type Database, statement, textOrNull } from '../database.ts';
import { withOutcome } from '../settle/crowd.ts';
import { deviceWithOutcome } from '../settle/device.ts';
import { CROWD, DEVICE } from './settle-tables.ts';
import { crowdRow, deviceRow, findInbox, replaceCrowd, replaceDevice, rewriteRow } from './sighting-table.ts';

/** Notes in crowds and devices what is known of these people by now, so that requests need not look it up. */
export async function markPeople(
  database: Database,
  projectId: string,
  inboxes: readonly string[],
): Promise<void> {
  for (const inbox of new Set(inboxes)) {
    const person = await findInbox(database, projectId, inbox);
    if (person === undefined) continue;
    const [row] = await database.read(
      statement(
        'SELECT judgement, accepted_at FROM outcome WHERE project_id = ? AND inbox = ?',
        projectId,
        inbox,
      ),
    );
    const said = {
      judgement: row === undefined ? null : textOrNull<'good' | 'bad'>(row, 'judgement'),
      accepted: (row?.accepted_at ?? null) !== null,
    };
    for (const thing of person.things)
      await rewriteRow(database, projectId, crowdRow(projectId, thing), (found) =>
        replaceCrowd(projectId, found, withOutcome(CROWD.fromRow(found), inbox, said)),
      );
    for (const [device] of person.devices)
      await rewriteRow(database, projectId, deviceRow(projectId, device), (found) =>
        replaceDevice(projectId, found, deviceWithOutcome(DEVICE.fromRow(found), inbox, said)),
      );
  }
}
