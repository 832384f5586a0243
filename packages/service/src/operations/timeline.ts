import type { TimelineView } from '@postern/contract/dashboard';
import { addNote, removeNote, timelineOf } from '../administration/timeline.ts';
import { memberNames } from './member-names.ts';
import { type DashboardCall, type DashboardHandlers, NO_CONTENT, ok, queryText } from './operation.ts';

/** Notes and decisions about people, devices, domains and networks. */
export const timelineRoutes = {
  'GET /projects/:id/timeline': async (call) => ok(await timelineView(call, queryText(call, 'subject'))),
  'POST /projects/:id/timeline': async (call) => {
    const fields = call.body;
    await addNote(call.admin, call.params.id, fields);
    return ok(await timelineView(call, fields.subject));
  },
  'DELETE /projects/:id/timeline/:entryId': async (call) => {
    await removeNote(call.admin, call.params.id, queryText(call, 'subject'), call.params.entryId);
    return NO_CONTENT;
  },
} satisfies Partial<DashboardHandlers>;

async function timelineView(call: DashboardCall<'id'>, written: unknown): Promise<TimelineView> {
  const { subject, entries } = await timelineOf(call.admin, call.params.id, written);
  const names = await memberNames(call);
  return {
    subject,
    entries: entries.map(({ id, at, actor, kind, body }) => ({
      ...{ id, at, actor, kind },
      actorName: names.get(actor) ?? null,
      text: body,
    })),
  };
}
