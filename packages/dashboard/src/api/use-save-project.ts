import type { ProjectView } from '@postern/contract/dashboard';
import type { BodyOf } from '@postern/contract/dashboard-routes';
import { useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';
import { projectQuery } from './queries.ts';
import { useChange } from './use-change.ts';

/**
 * Saves a part of the project; each section has its own. What another member changed while the form was open is not
 * overwritten. `onSaved` is called when the page has the saved values.
 */
export function useSaveProject(project: ProjectView, successText: string, onSaved: () => void) {
  const queryClient = useQueryClient();
  return useChange({
    send: (patch: BodyOf<'PATCH /projects/:id'>) => {
      const expected = Object.fromEntries(Object.entries(project).filter(([name]) => name in patch));
      return api('PATCH /projects/:id', { id: project.id }, { body: { expected, ...patch } });
    },
    inline: true,
    successText,
    onDone: (saved) => {
      queryClient.setQueryData(projectQuery(project.id).queryKey, saved);
      onSaved();
    },
  });
}
