import type { ListName, ProjectView } from '@postern/contract/dashboard';
import { PROJECT_FIELDS } from '@postern/contract/project-fields';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { EntryTable } from '../../components/entry-table.tsx';
import { Form } from '../../components/form.tsx';
import { ListDialog } from '../../components/list-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useListChange } from '../../components/use-list-change.ts';

const LISTS = {
  allowList: { name: PROJECT_FIELDS.allowList.label },
  blockList: { name: PROJECT_FIELDS.blockList.label },
} as const;

/** The project's own allow list and block list. */
export function OwnLists({ project, disabled }: { project: ProjectView; disabled: boolean }) {
  const [list, setList] = useState<ListName>('allowList');
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
          options={{
            allowList: `${LISTS.allowList.name} (${project.allowList.length})`,
            blockList: `${LISTS.blockList.name} (${project.blockList.length})`,
          }}
          onChange={setList}
        />
      }
    >
      {!disabled && <NewListEntry key={list} projectId={project.id} list={list} />}
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

/** The dialog says whom the entry concerns before it is added. */
function NewListEntry({ projectId, list }: { projectId: string; list: ListName }) {
  const [value, setValue] = useState('');
  const [asking, setAsking] = useState(false);
  return (
    <Form className="px-4 pb-4 sm:px-5" onSubmit={() => setAsking(true)}>
      <TextField
        label="Entry"
        className="font-mono"
        placeholder="example.com, 203.0.113.0/24, AS64500"
        required
        spellCheck={false}
        value={value}
        onChange={setValue}
        beside={<Button type="submit">Add…</Button>}
      />
      {asking && (
        <ListDialog
          projectId={projectId}
          target={{ list, what: 'entry', value: value.trim() }}
          onDone={() => setValue('')}
          onClose={() => setAsking(false)}
        />
      )}
    </Form>
  );
}
