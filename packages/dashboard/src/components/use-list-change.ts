import type { ListChange, ListsChange } from '@postern/contract/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, failureText } from '../api/client.ts';
import { shownError } from '../api/use-change.ts';
import { showToast, showUndo } from './toasts.tsx';

/** Changes the project's lists, and offers Undo for ten seconds. */
export function useListChange(projectId: string) {
  const queryClient = useQueryClient();
  const send = (body: ListsChange) => api('POST /projects/:id/lists', { id: projectId }, { body });
  const refresh = () => queryClient.invalidateQueries();
  const undo = async (changes: ListChange[]) => {
    try {
      await send({ changes });
      showToast('The change is undone.');
    } catch (error) {
      showToast(failureText(error), true);
    }
    await refresh();
  };
  const mutation = useMutation({
    meta: { quiet: true },
    mutationFn: ({ changes }: { changes: ListChange[]; successText: string }) => send({ changes }),
    onSuccess: async (answer, { successText }) => {
      showUndo(successText, () => void undo(answer.undo));
      await refresh();
    },
  });
  return { ...mutation, error: shownError(mutation.error) };
}
