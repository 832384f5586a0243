import { DAY_MS } from '@postern/contract';
import type { ProjectView } from '@postern/contract/dashboard';
import { type ListEntry, PROJECT_FIELDS } from '@postern/contract/project-fields';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { listedText } from '../../components/list-effect.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { ActionsHead, Cell, NarrowName, Table } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';
import { useInvalid } from '../../components/use-invalid.ts';
import { useListChange } from '../../components/use-list-change.ts';

const LISTS = {
  allowList: { name: PROJECT_FIELDS.allowList.label, none: 'This list is empty.' },
  blockList: { name: PROJECT_FIELDS.blockList.label, none: 'This list is empty.' },
} as const;

/** The project's own allow list and block list. */
export function OwnLists({ project, disabled }: { project: ProjectView; disabled: boolean }) {
  const [list, setList] = useState<keyof typeof LISTS>('allowList');
  const entries = project[list];
  // One entry at a time, so that two members who change the list at once do not overwrite each other.
  const change = useListChange(project.id);
  const remove = (value: string) =>
    change.mutate({ changes: [{ list, remove: value }], successText: 'The entry is removed.' });
  return (
    <Section
      title="Allow and block lists"
      lead="An entry decides the answer, whatever the checks find. It is an address (and every spelling of its inbox), a domain (and what is under it), an IP address, a range, an operator (AS64500), a country (country:DE), a device or a person. The more specific entry wins; between equally specific ones, allow."
      flush
      actions={
        <Choice
          label="Which list"
          hideLabel
          value={list}
          options={[
            { value: 'allowList', label: `${LISTS.allowList.name} (${project.allowList.length})` },
            { value: 'blockList', label: `${LISTS.blockList.name} (${project.blockList.length})` },
          ]}
          onChange={setList}
        />
      }
    >
      {!disabled && (
        <NewEntry
          key={list}
          busy={change.isPending}
          onAdd={(entry, done) =>
            change.mutate(
              { changes: [{ list, add: entry }], successText: listedText(list, entry.value, 'from now on') },
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
      {entries.length === 0 ? (
        <p className="px-5 pb-5 text-soft">{LISTS[list].none}</p>
      ) : (
        <Table
          label={LISTS[list].name}
          head={['Entry', 'Note', 'Until', <ActionsHead key="actions" />]}
          flows
        >
          {entries.map((entry) => (
            <tr key={entry.value}>
              <Cell className="font-mono text-[0.8667rem] wrap-anywhere">{entry.value}</Cell>
              <Cell className="text-soft wrap-anywhere">{entry.note ?? ''}</Cell>
              <Cell className="text-soft">
                <NarrowName>until</NarrowName>
                {entry.expiresAt === undefined ? 'no end' : <Ago at={entry.expiresAt} />}
              </Cell>
              <Cell className="text-right">
                {!disabled && (
                  <Button
                    small
                    variant="quiet"
                    disabled={change.isPending}
                    onClick={() => remove(entry.value)}
                  >
                    <Trash2 size={14} aria-hidden="true" />
                    <span className="sr-only">Remove {entry.value}</span>
                  </Button>
                )}
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

interface NewEntryProps {
  busy: boolean;
  onAdd: (entry: ListEntry, done: () => void) => void;
}

function NewEntry({ busy, onAdd }: NewEntryProps) {
  const [value, setValue] = useState('');
  const [note, setNote] = useState('');
  const [days, setDays] = useState('');
  const invalid = useInvalid();
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
    <form className="flex flex-wrap gap-2 px-4 pb-4 sm:px-5" onSubmit={submit}>
      <input
        aria-label="Entry"
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
    </form>
  );
}
