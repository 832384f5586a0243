import type { ListedEntry } from '@postern/contract/dashboard';
import { usePermissions } from '../api/use-session.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { Section } from './page.tsx';
import { ActionsHead, Cell, Table } from './table.tsx';
import { Ago } from './time.tsx';
import { useListChange } from './use-list-change.ts';

interface ListEntriesProps {
  projectId: string;
  listed: readonly ListedEntry[];
  /** Whether to show the value. It is left out where all entries are the same person. */
  named?: boolean;
}

/** The entries of the project’s lists that a page is about. Nothing if there are none. */
export function ListEntries({ projectId, listed, named = false }: ListEntriesProps) {
  const change = useListChange(projectId);
  const may = usePermissions();
  if (listed.length === 0) return null;
  const head = ['List', ...(named ? ['Entry'] : []), 'Note', 'Until', <ActionsHead key="actions" />];
  return (
    <Section title="On the project’s lists" flush>
      <Table label="On the project’s lists" head={head} flows>
        {listed.map(({ list, entry }) => (
          <tr key={`${list} ${entry.value}`}>
            <Cell>
              <Badge tone={list === 'allowList' ? 'allow' : 'block'}>
                {list === 'allowList' ? 'always allowed' : 'always blocked'}
              </Badge>
            </Cell>
            {named && <Cell className="font-mono text-[0.8667rem] wrap-anywhere">{entry.value}</Cell>}
            <Cell className="text-soft wrap-anywhere">{entry.note ?? ''}</Cell>
            <Cell className="text-soft">
              {entry.expiresAt === undefined ? 'no end' : <Ago at={entry.expiresAt} />}
            </Cell>
            <Cell className="text-right">
              {may.decide && (
                <Button
                  small
                  busy={change.isPending}
                  onClick={() =>
                    change.mutate({
                      changes: [{ list, remove: entry.value }],
                      successText: 'The entry is removed.',
                    })
                  }
                >
                  Remove
                </Button>
              )}
            </Cell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
