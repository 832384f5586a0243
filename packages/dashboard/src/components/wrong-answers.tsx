import type { Recommendation } from '@postern/contract';
import type {
  PersonVerdict,
  ValidationRow,
  VerdictUndo,
  WrongAnswersMarked,
  WrongAnswersUndone,
} from '@postern/contract/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, failureText } from '../api/client.ts';
import { Button } from './button.tsx';
import { Choice } from './choice.tsx';
import { plural } from './format.ts';
import { Modal } from './modal.tsx';
import { Notice } from './notice.tsx';
import { showToast, showUndo } from './toasts.tsx';

/** What shows outcomes, and is read again after a mark. */
const SHOWN_BY = ['validation', 'person', 'review', 'outcomes', 'overview', 'audit'];

/** Says that answers were wrong, and offers Undo for ten seconds. */
export function useMarkWrong(projectId: string) {
  const queryClient = useQueryClient();
  const path = `/projects/${encodeURIComponent(projectId)}/wrong`;
  const refresh = () =>
    Promise.all(SHOWN_BY.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  const undo = async (marks: readonly VerdictUndo[]) => {
    try {
      const { undone } = await api.post<WrongAnswersUndone>(`${path}/undo`, { undo: marks });
      showToast(
        undone === marks.length
          ? 'The mark is taken back.'
          : `Taken back for ${undone} of ${plural(marks.length, 'person', 'people')}. Something newer is known about the others.`,
      );
    } catch (error) {
      showToast(failureText(error), true);
    }
    await refresh();
  };
  return useMutation({
    meta: { quiet: true },
    mutationFn: (validations: readonly string[]) => api.post<WrongAnswersMarked>(path, { validations }),
    onSuccess: async (answer) => {
      showUndo(markedText(answer), () => void undo(answer.undo));
      await refresh();
    },
    onError: (error) => showToast(failureText(error), true),
  });
}

function markedText({ good, bad }: WrongAnswersMarked): string {
  const people = [
    ...(good > 0 ? [`${plural(good, 'person counts', 'people count')} as good`] : []),
    ...(bad > 0 ? [`${plural(bad, 'person counts', 'people count')} as bad`] : []),
  ];
  return `Marked as wrong: ${people.join(', ')} from now on.`;
}

/** The entry of a row’s menu. */
export const wrongLabel = (recommendation: Recommendation) =>
  recommendation === 'allow' ? 'Mark as wrong: a bad person' : 'Mark as wrong: a good person';

/** What is known of the person, and whether the answer was wrong. */
export function VerdictNotice({ verdict, answer }: { verdict: PersonVerdict; answer?: Recommendation }) {
  const wrong = answer !== undefined && (answer === 'allow') === (verdict.outcome === 'bad');
  const reason = verdict.reason === null || verdict.reason === '' ? '' : ` (${verdict.reason})`;
  return (
    <Notice kind={wrong ? 'warn' : 'note'}>
      This person is known to be {verdict.outcome}
      {reason}.{wrong && ' So this answer was wrong.'}
    </Notice>
  );
}

interface MarkWrongDialogProps {
  projectId: string;
  /** The validations that the page shows. */
  rows: readonly ValidationRow[];
  onClose: () => void;
}

type Group = 'stopped' | 'allowed';

/** Marks several answers as wrong: those that stopped people, or those that let them in. */
export function MarkWrongDialog({ projectId, rows, onClose }: MarkWrongDialogProps) {
  const live = rows.filter(({ mode }) => mode === 'live');
  const groups: Record<Group, readonly ValidationRow[]> = {
    stopped: live.filter(({ recommendation }) => recommendation !== 'allow'),
    allowed: live.filter(({ recommendation }) => recommendation === 'allow'),
  };
  const [group, setGroup] = useState<Group>(groups.stopped.length > 0 ? 'stopped' : 'allowed');
  const mark = useMarkWrong(projectId);
  const chosen = groups[group];
  const people = new Set(chosen.map(({ inbox }) => inbox)).size;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mark.mutate(
      chosen.slice(0, 100).map(({ id }) => id),
      { onSuccess: onClose },
    );
  };
  return (
    <Modal title="Which answers were wrong?" onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Choice
          label="Of the validations that this page shows"
          value={group}
          options={[
            { value: 'stopped', label: `${groups.stopped.length} flagged or blocked` },
            { value: 'allowed', label: `${groups.allowed.length} allowed` },
          ]}
          onChange={setGroup}
        />
        <p className="text-soft">
          {chosen.length === 0
            ? 'There are none.'
            : `${plural(people, 'person', 'people')} will count as ${group === 'stopped' ? 'good' : 'bad'} under What works and in the review queue. Future answers do not change: use the lists or the policy for that.`}
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={mark.isPending} disabled={chosen.length === 0}>
            Mark as wrong
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** The button for pages about a person, a domain or a network. */
export function MarkWrongButton({ projectId, rows }: Omit<MarkWrongDialogProps, 'onClose'>) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button disabled={rows.length === 0} onClick={() => setAsking(true)}>
        Mark as wrong…
      </Button>
      {asking && <MarkWrongDialog projectId={projectId} rows={rows} onClose={() => setAsking(false)} />}
    </>
  );
}
