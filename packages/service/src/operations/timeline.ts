import type { TimelineView } from '@postern/contract/dashboard';
import { maskListValue, parseListValue } from '../model/list-value.ts';
import { storableText } from '../store/database.ts';
import type { PersonOutcome } from '../store/tables/outcome-table.ts';
import type { TimelineEntry } from '../store/tables/timeline-table.ts';
import { InvalidInput, NotFound } from './administration.ts';
import { findProject } from './change-project.ts';
import { memberNames } from './member-names.ts';
import { type DashboardCall, type DashboardHandlers, NO_CONTENT, ok, queryText } from './operation.ts';
import { perform } from './perform.ts';

/** Notes and decisions about people, devices, domains and networks. */
export const timelineOperations = {
  'GET /projects/:id/timeline': async (call) =>
    ok(await timelineView(call, readSubject(queryText(call, 'subject')))),
  'POST /projects/:id/timeline': async (call) => {
    const { admin, params, body } = call;
    const project = await findProject(admin, params.id);
    const subject = readSubject(body.subject);
    const entry = { subject, at: admin.now(), actor: admin.actor, kind: 'note' } as const;
    await perform(admin, async () => ({
      write: admin.store.timeline.addition(project.id, [{ ...entry, body: storableText(body.note) }]),
      // The audit log is kept for good, so it has neither the words of a note nor the hash of a person.
      note: [{ action: 'note.create', project: project.id, detail: { subject: maskListValue(subject) } }],
      answer: undefined,
    }));
    return ok(await timelineView(call, subject));
  },
  'DELETE /projects/:id/timeline/:entryId': async (call) => {
    const { admin, params } = call;
    const project = await findProject(admin, params.id);
    const subject = readSubject(queryText(call, 'subject'));
    const entries = await admin.store.timeline.of(project.id, subject);
    if (!entries.some(({ id, kind }) => id === params.entryId && kind === 'note'))
      throw new NotFound('There is no such note. Somebody may have deleted it.');
    return {
      write: admin.store.timeline.removal(project.id, subject, params.entryId),
      note: [{ action: 'note.delete', project: project.id, detail: { subject: maskListValue(subject) } }],
      answer: NO_CONTENT,
    };
  },
} satisfies Partial<DashboardHandlers>;

/** Newest first. */
async function timelineView(call: DashboardCall<'id'>, subject: string): Promise<TimelineView> {
  const { store } = call.admin;
  const project = await findProject({ store }, call.params.id);
  const stored = await store.timeline.of(project.id, subject);
  const [, inbox] = /^person:(.*)$/.exec(subject) ?? [];
  const outcome = inbox === undefined ? undefined : await store.outcomes.find(project.id, inbox);
  const names = await memberNames(call);
  const entries = [...stored, ...reported(outcome, stored)].sort((one, other) => other.at - one.at);
  return {
    subject,
    entries: entries.map(({ id, at, actor, kind, body }) => ({
      ...{ id, at, actor, kind },
      actorName: names.get(actor) ?? null,
      text: body,
    })),
  };
}

function readSubject(written: string | undefined): string {
  const value = written === undefined ? undefined : parseListValue(written);
  if (value === undefined || value.kind === 'address' || value.kind === 'country')
    throw new InvalidInput(
      'subject',
      'subject must be person:<hash>, device:<hash>, a domain, a range of addresses or AS<number>.',
    );
  return value.text;
}

/** What your backend reported about the person, and no member said here. */
function reported(outcome: PersonOutcome | undefined, stored: readonly TimelineEntry[]) {
  if (outcome === undefined) return [];
  const { judgement, decidedAt, reason, acceptedAt } = outcome;
  const said = stored.some(({ kind, at }) => kind === judgement && at === decidedAt);
  const backend = { id: null, actor: 'backend' } as const;
  return [
    ...(judgement !== null && decidedAt !== null && !said
      ? [{ ...backend, at: decidedAt, kind: judgement, body: reason ?? '' }]
      : []),
    ...(acceptedAt === null ? [] : [{ ...backend, at: acceptedAt, kind: 'accepted' as const, body: '' }]),
  ];
}
