import type { NamedListView } from '@postern/contract/dashboard';
import { RULE_ID } from '@postern/contract/rules';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { changedByRules, namedListsQuery } from '../../api/rule-queries.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { TextField } from '../../components/text-field.tsx';
import { List } from '../../icons.ts';
import { NamedList } from './named-list.tsx';

/** The lists that rules ask with inList. */
export function NamedListsPage() {
  const project = useProject();
  const may = usePermissions();
  const lists = useQuery(namedListsQuery(project.id));
  return (
    <Page
      title="Named lists"
      lead="Lists of domains, networks, countries, people or devices that rules can use with inList. A list decides nothing by itself."
    >
      {may.change && <NewList projectId={project.id} />}
      <Loaded query={lists} pending={<SkeletonRows rows={6} className="card p-5" />}>
        {(data) =>
          data.length === 0 ? (
            <div className="card">
              <EmptyState icon={List} title="No named lists yet">
                Keep the domains of your partners or the ranges of your offices in a list, and write{' '}
                <code className="font-mono text-[0.8667rem]">inList("partners", email.domain)</code> in a{' '}
                <Link to="/projects/$projectId/rules" params={{ projectId: project.id }} className="link">
                  rule
                </Link>
                .
              </EmptyState>
            </div>
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (possible) create.mutate();
  };
  return (
    <Section title="New list">
      <form onSubmit={submit}>
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
      </form>
    </Section>
  );
}
