import { DAY_MS } from '@postern/contract';
import type { ProjectView } from '@postern/contract/dashboard';
import { type ListEntry, PROJECT_FIELDS } from '@postern/contract/project-fields';
import { useState } from 'react';
import { Choice } from '../../components/choice.tsx';
import { EntryTable } from '../../components/entry-table.tsx';
import { listedText } from '../../components/list-effect.ts';
import { howLong } from '../../components/list-terms.tsx';
import { NewEntry } from '../../components/new-entry.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { useListChange } from '../../components/use-list-change.ts';

const LISTS = {
  allowList: { name: PROJECT_FIELDS.allowList.label },
  blockList: { name: PROJECT_FIELDS.blockList.label },
} as const;

const daysLeft = ({ expiresAt }: ListEntry) =>
  expiresAt === undefined ? 0 : Math.round((expiresAt - Date.now()) / DAY_MS);

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
              {
                changes: [{ list, add: entry }],
                successText: listedText(list, entry.value, howLong(daysLeft(entry))),
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
        label={LISTS[list].name}
        entries={entries}
        busy={change.isPending}
        onRemove={disabled ? undefined : ({ value }) => remove(value)}
      />
    </Section>
  );
}
