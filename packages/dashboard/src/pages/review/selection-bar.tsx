import type { ReviewsDecided, ReviewsDecisionRequest } from '@postern/contract/dashboard';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, failureText, type Params } from '../../api/client.ts';
import { reviewIds } from '../../api/outcome-queries.ts';
import { useReadAgain } from '../../api/use-read-again.ts';
import { Button } from '../../components/button.tsx';
import { SelectAll } from '../../components/check-box.tsx';
import { count, plural } from '../../components/format.ts';
import { showToast, showUndo } from '../../components/toasts.tsx';
import { useUndoJudgements } from '../../components/use-judge.ts';

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
  const busy = decide.isPending;
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-sunken px-4 py-1.5 text-[0.8667rem] text-soft sm:px-5">
      {mayDecide && <SelectAll names={shown} selected={selected} onSelect={onSelect} />}
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

/** One decision about the selected rows, with Undo for ten seconds. */
export function useDecideMany(projectId: string, onDone: () => void) {
  const readAgain = useReadAgain();
  const undo = useUndoJudgements(projectId);
  const many = useMutation({
    meta: { quiet: true },
    mutationFn: (body: ReviewsDecisionRequest) =>
      api('POST /projects/:id/review/decide', { id: projectId }, { body }),
    onSuccess: (answer, { decision, validations }) => {
      onDone();
      const text = decidedText(answer, decision);
      if (decision === 'passed') showUndo(text, () => many.mutate({ validations, decision: 'waiting' }));
      else if (answer.undo.length === 0) showToast(text);
      else showUndo(text, () => void undo(answer.undo));
    },
    onError: (error) => showToast(`Nothing was decided. ${failureText(error)}`, true),
    onSettled: readAgain,
  });
  return many;
}

function decidedText({ decided, skipped }: ReviewsDecided, decision: ReviewsDecisionRequest['decision']) {
  if (decision === 'waiting') return `${plural(decided, 'sign-up waits', 'sign-ups wait')} for you again.`;
  const what = decision === 'passed' ? 'left to other members for seven days' : `marked as ${decision}`;
  const rest = skipped === 0 ? '' : ` Somebody has already decided ${plural(skipped, 'other', 'others')}.`;
  return `${plural(decided, 'sign-up is', 'sign-ups are')} ${what}.${rest}`;
}
