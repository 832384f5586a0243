import type { ReviewDecisionRequest, ReviewRow, ReviewView } from '@postern/contract/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiFailure, api, failureText } from '../../api/client.ts';
import { useReadAgain } from '../../api/use-read-again.ts';
import { showToast } from '../../components/toasts.tsx';
import type { Decided } from './after-decision.tsx';

interface Decision extends ReviewDecisionRequest {
  readonly row: ReviewRow;
}

/** Removes the row from the page at once, before the service has answered. */
export function useDecide(projectId: string, onDecided: (decided: Decided) => void) {
  const queryClient = useQueryClient();
  const readAgain = useReadAgain();
  const queryKey = ['GET /projects/:id/review', { id: projectId }];
  return useMutation({
    meta: { quiet: true },
    mutationFn: ({ row, ...decision }: Decision) =>
      api(
        'POST /projects/:id/review/:validationId/decide',
        { id: projectId, validationId: row.id },
        { body: decision },
      ),
    onMutate: async ({ row }) => {
      const at = performance.now();
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueriesData<ReviewView>({ queryKey }, (view) => without(view, row.id));
      return at;
    },
    onSuccess: ({ undo }, { row, decision }, at) => onDecided({ row, decision, at, undo }),
    onError: (error, { row }) => {
      const alreadyDecided = error instanceof ApiFailure && error.status === 409;
      showToast(
        alreadyDecided
          ? `${row.maskedAddress}: ${failureText(error)}`
          : `The decision on ${row.maskedAddress} was not saved; it is back in the queue. ${failureText(error)}`,
        true,
      );
    },
    onSettled: () => void readAgain(), // Not awaited, so that the decision can be undone at once.
  });
}

/** The queue without that row. A view without rows was asked for their number alone. */
function without(view: ReviewView | undefined, id: string): ReviewView | undefined {
  if (view === undefined) return undefined;
  const rows = view.rows.filter((row) => row.id !== id);
  const counted = rows.length < view.rows.length || view.rows.length === 0;
  return counted ? { ...view, open: Math.max(0, view.open - 1), rows } : view;
}
