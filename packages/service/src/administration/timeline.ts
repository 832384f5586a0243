import { characters } from '@postern/contract';
import { MAX_NOTE } from '@postern/contract/dashboard';
import { maskListValue, parseListValue } from '../model/list-value.ts';
import { storableText } from '../store/database.ts';
import type { PersonOutcome } from '../store/tables/outcome-table.ts';
import type { TimelineEntry } from '../store/tables/timeline-table.ts';
import { type Administration, InvalidInput, NotFound } from './administration.ts';
import { perform } from './perform.ts';
import { findProject } from './projects.ts';

/** What your backend reported about a person. */
interface ReportedEntry extends Omit<TimelineEntry, 'id' | 'kind'> {
  readonly id: null;
  readonly kind: 'good' | 'bad' | 'accepted';
}

export interface Timeline {
  readonly subject: string;
  /** Newest first. */
  readonly entries: readonly (TimelineEntry | ReportedEntry)[];
}

/** Who decided what about a person, a device, a domain or a network, when and why. */
export async function timelineOf(
  { store }: Administration,
  projectId: string,
  written: unknown,
): Promise<Timeline> {
  const project = await findProject({ store }, projectId);
  const subject = readSubject(written);
  const stored = await store.timeline.of(project.id, subject);
  const [, inbox] = /^person:(.*)$/.exec(subject) ?? [];
  const outcome = inbox === undefined ? undefined : await store.outcomes.find(project.id, inbox);
  const entries = [...stored, ...reported(subject, outcome, stored)];
  return { subject, entries: entries.sort((one, other) => other.at - one.at) };
}

export async function addNote(
  admin: Administration,
  projectId: string,
  fields: { readonly subject?: unknown; readonly note?: unknown },
): Promise<void> {
  const project = await findProject(admin, projectId);
  const subject = readSubject(fields.subject);
  const body = readNote(fields.note);
  const entry = { subject, at: admin.now(), actor: admin.actor, kind: 'note', body } as const;
  await perform(admin, async () => ({
    write: admin.store.timeline.addition(project.id, [entry]),
    // The audit log is kept for good, so it has neither the words of a note nor the hash of a person.
    note: [{ action: 'note.create', project: project.id, detail: { subject: maskListValue(subject) } }],
    answer: undefined,
  }));
}

export async function removeNote(
  admin: Administration,
  projectId: string,
  written: unknown,
  id: string,
): Promise<void> {
  const project = await findProject(admin, projectId);
  const subject = readSubject(written);
  const entries = await admin.store.timeline.of(project.id, subject);
  if (!entries.some((entry) => entry.id === id && entry.kind === 'note'))
    throw new NotFound('There is no such note. Somebody may have deleted it.');
  await perform(admin, async () => ({
    write: admin.store.timeline.removal(project.id, subject, id),
    note: [{ action: 'note.delete', project: project.id, detail: { subject: maskListValue(subject) } }],
    answer: undefined,
  }));
}

function readSubject(written: unknown): string {
  const value = typeof written === 'string' ? parseListValue(written) : undefined;
  if (value === undefined || value.kind === 'address' || value.kind === 'country')
    throw new InvalidInput(
      'subject',
      'subject must be person:<hash>, device:<hash>, a domain, a range of addresses or AS<number>.',
    );
  return value.text;
}

function readNote(note: unknown): string {
  const text = typeof note === 'string' ? storableText(note.trim()) : '';
  if (text === '' || characters(text) > MAX_NOTE)
    throw new InvalidInput('note', `A note has 1 to ${MAX_NOTE} characters.`);
  return text;
}

/** What is known of the person and no member said here. */
function reported(
  subject: string,
  outcome: PersonOutcome | undefined,
  stored: readonly TimelineEntry[],
): ReportedEntry[] {
  if (outcome === undefined) return [];
  const { judgement, decidedAt, reason, acceptedAt } = outcome;
  const said = stored.some(({ kind, at }) => kind === judgement && at === decidedAt);
  const backend = { id: null, subject, actor: 'backend' } as const;
  return [
    ...(judgement !== null && decidedAt !== null && !said
      ? [{ ...backend, at: decidedAt, kind: judgement, body: reason ?? '' }]
      : []),
    ...(acceptedAt === null ? [] : [{ ...backend, at: acceptedAt, kind: 'accepted' as const, body: '' }]),
  ];
}
