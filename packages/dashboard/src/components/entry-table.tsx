import type { ListEntry } from '@postern/contract/project-fields';
import { Trash2 } from '../icons.ts';
import { Button } from './button.tsx';
import { ActionsHead, AgoCell, Cell, Table } from './table.tsx';

interface EntryTableProps {
  label: string;
  entries: readonly ListEntry[];
  busy: boolean;
  /** Absent if the person may not change the list. */
  onRemove: ((entry: ListEntry) => void) | undefined;
}

/** The entries of a list. */
export function EntryTable({ label, entries, busy, onRemove }: EntryTableProps) {
  if (entries.length === 0) return <p className="px-5 pb-5 text-soft">This list is empty.</p>;
  return (
    <Table label={label} head={['Entry', 'Note', 'Until', <ActionsHead key="actions" />]} flows>
      {entries.map((entry) => (
        <tr key={entry.value}>
          <Cell className="font-mono text-[0.8667rem] wrap-anywhere">{entry.value}</Cell>
          <Cell className="text-soft wrap-anywhere">{entry.note ?? ''}</Cell>
          <AgoCell name="until" at={entry.expiresAt} none="no end" />
          <Cell className="text-right">
            {onRemove !== undefined && (
              <Button small variant="quiet" disabled={busy} onClick={() => onRemove(entry)}>
                <Trash2 size={14} />
                <span className="sr-only">Remove {entry.value}</span>
              </Button>
            )}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
