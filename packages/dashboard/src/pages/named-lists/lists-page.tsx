import type { NamedListView } from '@postern/contract/dashboard';
import { RULE_ID } from '@postern/contract/rules';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { changedByRules, namedListsQuery } from '../../api/rule-queries.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { TextField } from '../../components/text-field.tsx';
import { NamedList } from './named-list.tsx';
import { OwnLists } from './own-lists.tsx';

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
    invalidates: changedByRules(projectId),
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
