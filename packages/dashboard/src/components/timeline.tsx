import { MAX_NOTE, MAX_TAG, type TimelineEntryView, type TimelineView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { timelineQuery } from '../api/timeline-queries.ts';
import { useChange } from '../api/use-change.ts';
import { usePermissions } from '../api/use-session.ts';
import { Tag, X } from '../icons/index.js';
import { actorName } from './actor-name.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Notice } from './notice.tsx';
import { Section } from './page.tsx';
import { Loaded, SkeletonRows } from './pending.tsx';
import { TextField } from './text-field.tsx';
import { Ago } from './time.tsx';

interface TimelineProps {
  projectId: string;
  /** `person:<hash>`, `device:<hash>`, a domain, a range of addresses or `AS<number>`. */
  subject: string;
}

/** Notes, tags, and who decided what about a subject. */
export function Timeline({ projectId, subject }: TimelineProps) {
  const timeline = useQuery(timelineQuery(projectId, subject));
  return (
    <Section title="Notes and history" lead="Who decided what, when and why. Newest first.">
      <Loaded query={timeline} pending={<SkeletonRows rows={3} />}>
        {(view) => (
          <div className="grid gap-4">
            <Tags projectId={projectId} view={view} />
            <NoteForm projectId={projectId} subject={subject} />
            {view.entries.length === 0 ? (
              <p className="text-soft">Nothing was noted or decided yet.</p>
            ) : (
              <ol className="grid gap-3">
                {view.entries.map((entry) => (
                  <Entry
                    key={entry.id ?? `${entry.kind} ${entry.at}`}
                    projectId={projectId}
                    subject={subject}
                    entry={entry}
                  />
                ))}
              </ol>
            )}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

const WORDS: Readonly<Record<TimelineEntryView['kind'], (text: string) => string>> = {
  note: () => 'wrote a note',
  tag: (tag) => `added the tag “${tag}”`,
  untag: (tag) => `removed the tag “${tag}”`,
  allow_list: () => 'put it on the allow list',
  block_list: () => 'put it on the block list',
  unlisted: () => 'took it off the lists',
  good: () => 'said: good',
  bad: () => 'said: bad',
  unknown: () => 'said: not known',
  accepted: () => 'said that the person signed up',
};

function Entry({ projectId, subject, entry }: TimelineProps & { entry: TimelineEntryView }) {
  const may = usePermissions();
  const remove = useChange({
    send: (entryId: string) =>
      api('DELETE /projects/:id/timeline/:entryId', { id: projectId, entryId, subject }),
    invalidates: [['timeline', projectId, subject]],
    successText: 'The note is deleted.',
  });
  const { id, kind, text, actor, at } = entry;
  const who = actor === 'backend' ? 'Your backend' : actorName(actor, entry.actorName);
  const hasText = text !== '' && kind !== 'tag' && kind !== 'untag';
  return (
    <li className="grid gap-1 border-l-2 border-line pl-3">
      <p className="flex flex-wrap items-center gap-x-2 text-[0.9rem]">
        <span>
          <span className="font-medium">{who}</span> {WORDS[kind](text)}
        </span>
        <span className="text-faint">
          <Ago at={at} />
        </span>
        {kind === 'note' && id !== null && may.decide && (
          <Button small variant="quiet" busy={remove.isPending} onClick={() => remove.mutate(id)}>
            Delete the note
          </Button>
        )}
      </p>
      {hasText && <p className="text-soft wrap-anywhere whitespace-pre-wrap">{text}</p>}
    </li>
  );
}

function Tags({ projectId, view: { subject, tags } }: { projectId: string; view: TimelineView }) {
  const [tag, setTag] = useState('');
  const may = usePermissions();
  const change = useChange({
    send: (body: { tag: string } | { untag: string }) =>
      api('POST /projects/:id/timeline', { id: projectId }, { body: { subject, ...body } }),
    inline: true,
    invalidates: [['timeline', projectId, subject]],
    onDone: () => setTag(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tag.trim() !== '') change.mutate({ tag: tag.trim() });
  };
  return (
    <div className="grid gap-3">
      {tags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-2">
          {tags.map((name) => (
            <li
              key={name}
              className="inline-flex items-center gap-1 rounded-md bg-accent-soft px-2 py-0.5 text-[0.8667rem] font-medium text-accent-deep"
            >
              <Tag size={13} aria-hidden="true" /> {name}
              {may.decide && (
                <button
                  type="button"
                  aria-label={`Remove the tag ${name}`}
                  className="-mr-1 rounded p-1 hover:bg-hover"
                  onClick={() => change.mutate({ untag: name })}
                >
                  <X size={13} aria-hidden="true" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {may.decide && (
        <form onSubmit={submit} className="max-w-md">
          <TextField
            label="New tag"
            maxLength={MAX_TAG}
            value={tag}
            onChange={setTag}
            error={change.error?.message}
            beside={
              <Button type="submit" busy={change.isPending} disabled={tag.trim() === ''}>
                Add tag
              </Button>
            }
          />
        </form>
      )}
    </div>
  );
}

function NoteForm({ projectId, subject }: TimelineProps) {
  const [note, setNote] = useState('');
  const may = usePermissions();
  const add = useChange({
    send: (text: string) =>
      api('POST /projects/:id/timeline', { id: projectId }, { body: { subject, note: text } }),
    inline: true,
    invalidates: [['timeline', projectId, subject]],
    onDone: () => setNote(''),
  });
  if (!may.decide) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (note.trim() !== '') add.mutate(note);
  };
  return (
    <form onSubmit={submit} className="grid max-w-2xl gap-2">
      <Field label="New note" hint="Everybody with access to the project can read it.">
        {(props) => (
          <textarea
            {...props}
            rows={2}
            maxLength={MAX_NOTE}
            className="control"
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      {add.error !== null && <Notice kind="bad">{add.error.message}</Notice>}
      <div>
        <Button type="submit" busy={add.isPending} disabled={note.trim() === ''}>
          Add note
        </Button>
      </div>
    </form>
  );
}
