import type { ReviewsDecided, ReviewsDecisionRequest } from '@postern/contract/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, failureText } from '../../api/client.ts';
import { plural } from '../../components/format.ts';
import { showToast, showUndo } from '../../components/toasts.tsx';
import { useUndoJudgements } from '../../components/use-judge.ts';

/** One decision about the selected rows, with Undo for ten seconds. */
export function useDecideMany(projectId: string, onDone: () => void) {
  const queryClient = useQueryClient();
  const undo = useUndoJudgements(projectId);
  return useMutation({
    meta: { quiet: true },
    mutationFn: (body: ReviewsDecisionRequest) =>
      api('POST /projects/:id/review/decide', { id: projectId }, { body }),
    onSuccess: (answer, { decision }) => {
      onDone();
      const text = decidedText(answer, decision);
      if (answer.undo.length === 0) showToast(text);
      else showUndo(text, () => void undo(answer.undo));
    },
    onError: (error) => showToast(`Nothing was decided. ${failureText(error)}`, true),
    onSettled: () => queryClient.invalidateQueries(),
  });
}

function decidedText({ decided, skipped }: ReviewsDecided, decision: ReviewsDecisionRequest['decision']) {
  const what = decision === 'passed' ? 'left to other members for seven days' : `marked as ${decision}`;
  const rest = skipped === 0 ? '' : ` Somebody has already decided ${plural(skipped, 'other', 'others')}.`;
  return `${plural(decided, 'sign-up is', 'sign-ups are')} ${what}.${rest}`;
}
