import type { ListChange, ListsChange } from '@postern/contract/dashboard';
import { useMutation } from '@tanstack/react-query';
import { api, failureText } from '../api/client.ts';
import { shownError } from '../api/use-change.ts';
import { useReadAgain } from '../api/use-read-again.ts';
import { showToast, showUndo } from './toasts.tsx';

/** Changes the project's lists, and offers Undo for ten seconds. */
export function useListChange(projectId: string) {
  const readAgain = useReadAgain();
  const send = (body: ListsChange) => api('POST /projects/:id/lists', { id: projectId }, { body });
  const undo = async (changes: ListChange[]) => {
    try {
      await send({ changes });
      showToast('The change is undone.');
    } catch (error) {
      showToast(failureText(error), true);
    }
    await readAgain();
  };
  const mutation = useMutation({
    meta: { quiet: true },
    mutationFn: ({ changes }: { changes: ListChange[]; successText: string }) => send({ changes }),
    onSuccess: async (answer, { successText }) => {
      showUndo(successText, () => void undo(answer.undo));
      await readAgain();
    },
  });
  return { ...mutation, error: shownError(mutation.error) };
}
