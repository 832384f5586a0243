import type { ProjectView } from '@postern/contract/dashboard';
import type { ProjectPatch } from '@postern/contract/project-fields';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';

/**
 * Saves a part of the project; each section has its own. What another member changed while the form was open is not
 * overwritten.
 */
export function useSaveProject(project: ProjectView, successText: string) {
  return useChange({
    send: (patch: ProjectPatch) => {
      const seen = Object.entries(project).filter(([name]) => name in patch);
      const body = { ...patch, expected: Object.fromEntries(seen) };
      return api('PATCH /projects/:id', { id: project.id }, { body });
    },
    invalidates: [['projects']],
    inline: true,
    successText,
  });
}
