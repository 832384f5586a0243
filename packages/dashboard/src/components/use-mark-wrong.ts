import type { JudgementUndo, WrongAnswersMarked } from '@postern/contract/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, failureText } from '../api/client.ts';
import { plural } from './format.ts';
import { showToast, showUndo } from './toasts.tsx';

/** What shows outcomes, and is read again after a mark. */
const SHOWN_BY = ['validation', 'person', 'review', 'outcomes', 'overview', 'audit'];

/** Says that answers were wrong, and offers Undo for ten seconds. */
export function useMarkWrong(projectId: string) {
  const queryClient = useQueryClient();
  const project = { id: projectId };
  const refresh = () =>
    Promise.all(SHOWN_BY.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  const undo = async (marks: JudgementUndo[]) => {
    try {
      const { undone } = await api('POST /projects/:id/wrong/undo', project, { body: { undo: marks } });
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
    mutationFn: (validations: string[]) =>
      api('POST /projects/:id/wrong', project, { body: { validations } }),
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
