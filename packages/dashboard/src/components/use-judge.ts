import type { JudgementRequest, JudgementsRecorded, JudgementUndo } from '@postern/contract/dashboard';
import { useMutation } from '@tanstack/react-query';
import { api, failureText } from '../api/client.ts';
import { useReadAgain } from '../api/use-read-again.ts';
import { plural } from './format.ts';
import { showToast, showUndo } from './toasts.tsx';

/** Says what people are, and offers Undo for ten seconds. */
export function useJudge(projectId: string) {
  const readAgain = useReadAgain();
  const undo = useUndoJudgements(projectId);
  return useMutation({
    meta: { quiet: true },
    mutationFn: (request: JudgementRequest) =>
      api('POST /projects/:id/judge', { id: projectId }, { body: request }),
    onSuccess: async (answer, { outcome }) => {
      if (outcome === 'unknown')
        showToast('Taken back: nothing is known about this person. A flagged sign-up is in review again.');
      else showUndo(recordedText(answer, outcome), () => void undo(answer.undo));
      await readAgain();
    },
    onError: (error) => showToast(failureText(error), true),
  });
}

/** Takes decisions back, and says what came of it. */
export function useUndoJudgements(projectId: string): (undo: readonly JudgementUndo[]) => Promise<void> {
  const readAgain = useReadAgain();
  return async (undo) => {
    try {
      const body = { undo: [...undo] };
      const { undone } = await api('POST /projects/:id/judge/undo', { id: projectId }, { body });
      showToast(
        undone === undo.length
          ? 'The decision is taken back.'
          : `Taken back for ${undone} of ${plural(undo.length, 'person', 'people')}. Something newer is known about the others.`,
      );
    } catch (error) {
      showToast(failureText(error), true);
    }
    await readAgain();
  };
}

function recordedText({ good, bad }: JudgementsRecorded, outcome: JudgementRequest['outcome']): string {
  const people = [
    ...(good > 0 ? [`${plural(good, 'person counts', 'people count')} as good`] : []),
    ...(bad > 0 ? [`${plural(bad, 'person counts', 'people count')} as bad`] : []),
  ];
  return `${outcome === 'wrong' ? 'Marked as wrong' : 'Saved'}: ${people.join(', ')} from now on.`;
}
