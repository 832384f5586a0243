import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText, type Params } from '../../api/client.ts';
import { reviewIds } from '../../api/outcome-queries.ts';
import { membersQuery } from '../../api/queries.ts';
import { useSession } from '../../api/use-session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { count, plural } from '../../components/format.ts';
import { PopupMenu } from '../../components/popup-menu.tsx';
import { showToast } from '../../components/toasts.tsx';
import { UserRoundPlus } from '../../icons/index.js';
import { useAssign, useDecideMany } from './use-decide-many.ts';

interface SelectionBarProps {
  projectId: string;
  /** The filters of the queue. */
  query: Params;
  /** What the queue says of itself while nothing is selected. */
  summary: string;
  shown: readonly string[];
  open: number;
  selected: ReadonlySet<string>;
  mayDecide: boolean;
  onSelect: (ids: readonly string[]) => void;
}

/** Above the queue: how many wait, and what can be done with the selected ones. */
export function SelectionBar(props: SelectionBarProps) {
  const { projectId, query, summary, shown, open, selected, mayDecide, onSelect } = props;
  const [collecting, setCollecting] = useState(false);
  const done = () => onSelect([]);
  const decide = useDecideMany(projectId, done);
  const assign = useAssign(projectId, done);
  const validations = [...selected];
  const selectAll = async () => {
    setCollecting(true);
    try {
      onSelect(await reviewIds(projectId, query));
    } catch (error) {
      showToast(failureText(error), true);
    }
    setCollecting(false);
  };
  const allShown = shown.length > 0 && shown.every((id) => selected.has(id));
  const busy = decide.isPending || assign.isPending;
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-sunken px-4 py-1.5 text-[0.8667rem] text-soft sm:px-5">
      {mayDecide && (
        <input
          type="checkbox"
          aria-label="Select all that are shown"
          className="size-4"
          checked={allShown}
          onChange={() => onSelect(allShown ? [] : shown)}
        />
      )}
      <p className="num" aria-live="polite">
        {selected.size === 0 ? summary : `${count(selected.size)} selected`}
      </p>
      {selected.size > 0 && (
        <>
          {allShown && open > selected.size && (
            <Button small busy={collecting} onClick={() => void selectAll()}>
              Select all {open > shown.length ? 'that match' : count(open)}
            </Button>
          )}
          <div className="ml-auto flex flex-wrap gap-2">
            <AssignMenu disabled={busy} onPick={(to) => assign.mutate({ validations, to })} />
            <Button small disabled={busy} onClick={() => decide.mutate({ validations, decision: 'good' })}>
              All good
            </Button>
            <Button small disabled={busy} onClick={() => decide.mutate({ validations, decision: 'bad' })}>
              All bad
            </Button>
            <Button small disabled={busy} onClick={() => decide.mutate({ validations, decision: 'passed' })}>
              Pass {plural(selected.size, 'sign-up')}
            </Button>
            <Button small variant="quiet" onClick={done}>
              Clear
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

function AssignMenu({ disabled, onPick }: { disabled: boolean; onPick: (to: string | null) => void }) {
  const { user } = useSession();
  const members = useQuery({ ...membersQuery, enabled: user.role !== 'none' }).data ?? [];
  if (disabled) return null;
  return (
    <PopupMenu
      label="Assign to"
      className={buttonClass('plain', true)}
      button={
        <>
          <UserRoundPlus size={14} aria-hidden="true" /> Assign…
        </>
      }
      entries={[
        { key: user.id, label: 'Me', onPick: () => onPick(user.id) },
        ...members
          .filter(({ id }) => id !== user.id)
          .map(({ id, name }) => ({ key: id, label: name, onPick: () => onPick(id) })),
        { key: 'nobody', label: 'Nobody', separated: true, onPick: () => onPick(null) },
      ]}
    />
  );
}
