import type { ListName, NamedListView, ProjectView } from '@postern/contract/dashboard';
import { PROJECT_FIELDS } from '@postern/contract/project-fields';
import { RULE_ID } from '@postern/contract/rules';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { namedListsQuery } from '../../api/rule-queries.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { EntryTable } from '../../components/entry-table.tsx';
import { Form } from '../../components/form.tsx';
import { ListDialog } from '../../components/list-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useListChange } from '../../components/use-list-change.ts';
import { NamedList } from './named-list.tsx';

/** The lists in the order in which they decide: the project’s own first, then those that rules ask with inList. */
export function ListsPage() {
  const project = useProject();
  const may = usePermissions();
  const lists = useQuery(namedListsQuery(project.id));
  return (
    <Page title="Lists" lead="Entries of the first two decide before the rules and the checks do.">
      <OwnLists project={project} disabled={!may.decide} />
      <h2 className="text-[1.1rem] font-semibold">Named lists</h2>
      <p className="-mt-4 max-w-2xl text-soft">
        Domains, networks, countries, people or devices that{' '}
        <Link to="/projects/$projectId/rules" params={{ projectId: project.id }} className="link">
          rules
        </Link>{' '}
        can use, as in <code className="font-mono text-[0.8667rem]">inList("partners", email.domain)</code>. A
        named list decides nothing by itself.
      </p>
      {may.change && <NewList projectId={project.id} />}
      <Loaded query={lists} pending={<SkeletonRows rows={6} className="card p-5" />}>
        {(data) =>
          data.length === 0 ? (
            <p className="text-soft">No named lists yet.</p>
          ) : (
            data.map((list: NamedListView) => <NamedList key={list.name} project={project} list={list} />)
          )
        }
      </Loaded>
    </Page>
  );
}

function NewList({ projectId }: { projectId: string }) {
  const [name, setName] = useState('');
  const create = useChange({
    send: () => api('POST /projects/:id/named-lists', { id: projectId }, { body: { name } }),
    inline: true,
    successText: `The list “${name}” is made.`,
    onDone: () => setName(''),
  });
  const possible = RULE_ID.test(name);
  return (
    <Section title="New list">
      <Form
        onSubmit={() => {
          if (possible) create.mutate();
        }}
      >
        <TextField
          label="Name of the list"
          hint="1 to 40 of a-z, 0-9 and _. Rules name it like this."
          placeholder="partners"
          spellCheck={false}
          maxLength={40}
          value={name}
          onChange={setName}
          error={
            create.error?.message ??
            (name !== '' && !possible ? 'Use only a-z, 0-9 and _, without spaces.' : undefined)
          }
          beside={
            <Button type="submit" variant="primary" disabled={!possible} busy={create.isPending}>
              Make the list
            </Button>
          }
        />
      </Form>
    </Section>
  );
}

const LISTS = {
  allowList: { name: PROJECT_FIELDS.allowList.label },
  blockList: { name: PROJECT_FIELDS.blockList.label },
} as const;

/** The project's own allow list and block list. */
function OwnLists({ project, disabled }: { project: ProjectView; disabled: boolean }) {
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
