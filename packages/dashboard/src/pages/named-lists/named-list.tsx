import { DAY_MS } from '@postern/contract';
import type { NamedListChangeRequest, NamedListView, ProjectView } from '@postern/contract/dashboard';
import type { ListEntry } from '@postern/contract/project-fields';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { EntryTable } from '../../components/entry-table.tsx';
import { Form } from '../../components/form.tsx';
import { plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { useInvalid } from '../../components/use-invalid.ts';

interface NamedListProps {
  project: ProjectView;
  list: NamedListView;
}

/** One named list: its entries, and the rules that ask it. */
export function NamedList({ project, list }: NamedListProps) {
  const may = usePermissions();
  const change = useEntryChange(project.id, list.name);
  return (
    <Section
      title={<span className="font-mono">{list.name}</span>}
      lead={
        <>
          {plural(list.entries.length, 'entry', 'entries')}. <UsedBy project={project} list={list} />
        </>
      }
      flush
      actions={may.change && <DeleteList projectId={project.id} list={list} />}
    >
      {may.decide && (
        <NewEntry
          label={`Entry for ${list.name}`}
          busy={change.isPending}
          onAdd={(entry, done) =>
            change.mutate(
              {
                add: [entry],
                text: `${entry.value} is on the list ${list.name}.`,
                undo: { remove: [entry.value] },
              },
              { onSuccess: done },
            )
          }
        />
      )}
      {change.error !== null && (
        <div className="px-5 pb-4">
          <Notice kind="bad">{change.error.message}</Notice>
        </div>
      )}
      <EntryTable
        label={`Entries of ${list.name}`}
        entries={list.entries}
        busy={change.isPending}
        onRemove={
          may.decide
            ? (entry) =>
                change.mutate({
                  remove: [entry.value],
                  text: `${entry.value} is no longer on the list ${list.name}.`,
                  undo: { add: [entry] },
                })
            : undefined
        }
      />
    </Section>
  );
}

function UsedBy({ project, list }: NamedListProps) {
  if (list.usedBy.length === 0) return 'No rule uses it.';
  return (
    <>
      Asked by{' '}
      {list.usedBy.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link
            to="/projects/$projectId/rules/$rule"
            params={{ projectId: project.id, rule: id }}
            className="link"
          >
            {project.rules.find((rule) => rule.id === id)?.name ?? id}
          </Link>
        </span>
      ))}
      .
    </>
  );
}

interface EntryChange extends NamedListChangeRequest {
  readonly text: string;
  readonly undo: NamedListChangeRequest;
}

/** Adds and removes entries, and offers Undo for ten seconds. */
function useEntryChange(projectId: string, name: string) {
  const send = (body: NamedListChangeRequest) =>
    api('POST /projects/:id/named-lists/:name', { id: projectId, name }, { body });
  return useChange({
    send: ({ text: _text, undo: _undo, ...body }: EntryChange) => send(body),
    inline: true,
    undo: (_answer, { text, undo }) => ({ text, back: () => send(undo) }),
  });
}

function DeleteList({ projectId, list }: { projectId: string; list: NamedListView }) {
  const [asking, setAsking] = useState(false);
  const remove = useChange({
    send: () => api('DELETE /projects/:id/named-lists/:name', { id: projectId, name: list.name }),
    inline: true,
    successText: `The list “${list.name}” is deleted.`,
    onDone: () => setAsking(false),
  });
  const used = list.usedBy.length > 0;
  return (
    <>
      <Button
        small
        disabled={used}
        title={used ? 'A list that a rule uses cannot be deleted.' : undefined}
        onClick={() => setAsking(true)}
      >
        Delete {list.name}…
      </Button>
      {asking && (
        <Confirm
          title={`Delete the list ${list.name}`}
          action="Delete the list"
          change={remove}
          onClose={() => setAsking(false)}
        >
          <p>
            The list and its {plural(list.entries.length, 'entry', 'entries')} are deleted. No rule asks it,
            so no answer changes. This cannot be undone.
          </p>
        </Confirm>
      )}
    </>
  );
}

interface NewEntryProps {
  /** What the field is called, where a page has several. */
  label?: string;
  busy: boolean;
  onAdd: (entry: ListEntry, done: () => void) => void;
}

/** Adds an entry to a list. */
function NewEntry({ label = 'Entry', busy, onAdd }: NewEntryProps) {
  const [value, setValue] = useState('');
  const [note, setNote] = useState('');
  const [days, setDays] = useState('');
  const invalid = useInvalid();
  const submit = () => {
    const entry = {
      value: value.trim(),
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(days !== '' && { expiresAt: Date.now() + Number(days) * DAY_MS }),
    };
    onAdd(entry, () => {
      setValue('');
      setNote('');
    });
  };
  return (
    <Form className="flex flex-wrap gap-2 px-4 pb-4 sm:px-5" onSubmit={submit}>
      <input
        aria-label={label}
        className="control !w-auto min-w-0 flex-[2] basis-48 font-mono"
        placeholder="example.com, 203.0.113.0/24, AS64500"
        required
        spellCheck={false}
        value={value}
        onInvalid={invalid.onInvalid}
        aria-invalid={invalid.message !== undefined}
        onChange={(event) => {
          invalid.clear();
          setValue(event.target.value);
        }}
      />
      <input
        aria-label="Note"
        className="control !w-auto min-w-0 flex-1 basis-32"
        placeholder="Why (optional)"
        maxLength={200}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <select
        aria-label="How long"
        className="control !w-auto"
        value={days}
        onChange={(event) => setDays(event.target.value)}
      >
        <option value="">Permanent</option>
        <option value="1">1 day</option>
        <option value="7">7 days</option>
        <option value="30">30 days</option>
      </select>
      <Button type="submit" busy={busy}>
        Add
      </Button>
      {invalid.message !== undefined && (
        <p role="alert" className="basis-full text-[0.8667rem] text-block">
          {invalid.message}
        </p>
      )}
    </Form>
  );
}
