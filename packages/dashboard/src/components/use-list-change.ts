import type { ListChange, ListsChange } from '@postern/contract/dashboard';
import { api } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

/** Changes the project’s lists, and offers Undo for ten seconds. */
export function useListChange(projectId: string) {
  const send = (body: ListsChange) => api('POST /projects/:id/lists', { id: projectId }, { body });
  return useChange({
    send: ({ changes }: { changes: ListChange[]; successText: string }) => send({ changes }),
    inline: true,
    undo: ({ undo }, { successText }) => ({ text: successText, back: () => send({ changes: undo }) }),
  });
}
