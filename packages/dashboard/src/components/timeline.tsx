import { MAX_NOTE, type TimelineEntryView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { queryOf } from '../api/query-of.ts';
import { useChange } from '../api/use-change.ts';
import { usePermissions } from '../api/use-session.ts';
import { actorName } from './actor-name.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';
import { Notice } from './notice.tsx';
import { Section } from './page.tsx';
import { Loaded, SkeletonRows } from './pending.tsx';
import { Ago } from './time.tsx';

interface TimelineProps {
  projectId: string;
  /** `person:<hash>`, `device:<hash>`, a domain, a range of addresses or `AS<number>`. */
  subject: string;
}

/** Notes, and who decided what about a subject. */
export function Timeline({ projectId, subject }: TimelineProps) {
  const timeline = useQuery(queryOf('GET /projects/:id/timeline', { id: projectId, subject }));
  return (
    <Section title="Notes and history" lead="Who decided what, when and why. Newest first.">
      <Loaded query={timeline} pending={<SkeletonRows rows={3} />}>
        {(view) => (
          <div className="grid gap-4">
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

const WORDS: Readonly<Record<TimelineEntryView['kind'], string>> = {
  note: 'wrote a note',
  allow_list: 'put it on the allow list',
  block_list: 'put it on the block list',
  unlisted: 'took it off the lists',
  good: 'said: good',
  bad: 'said: bad',
  unknown: 'said: not known',
  accepted: 'said that the person signed up',
};

function Entry({ projectId, subject, entry }: TimelineProps & { entry: TimelineEntryView }) {
  const may = usePermissions();
  const remove = useChange({
    send: (entryId: string) =>
      api('DELETE /projects/:id/timeline/:entryId', { id: projectId, entryId, subject }),
    successText: 'The note is deleted.',
  });
  const { id, kind, text, actor, at } = entry;
  const who = actor === 'backend' ? 'Your backend' : actorName(actor, entry.actorName);
  return (
    <li className="grid gap-1 border-l-2 border-line pl-3">
      <p className="flex flex-wrap items-center gap-x-2 text-[0.9rem]">
        <span>
          <span className="font-medium">{who}</span> {WORDS[kind]}
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
      {text !== '' && <p className="text-soft wrap-anywhere whitespace-pre-wrap">{text}</p>}
    </li>
  );
}

function NoteForm({ projectId, subject }: TimelineProps) {
  const [note, setNote] = useState('');
  const may = usePermissions();
  const add = useChange({
    send: (text: string) =>
      api('POST /projects/:id/timeline', { id: projectId }, { body: { subject, note: text } }),
    inline: true,
    onDone: () => setNote(''),
  });
  if (!may.decide) return null;
  return (
    <Form
      onSubmit={() => {
        if (note.trim() !== '') add.mutate(note);
      }}
      className="grid max-w-2xl gap-2"
    >
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
    </Form>
  );
}
