import type { ProjectView } from '@postern/contract/dashboard';
import type { ProjectPatch } from '@postern/contract/project-fields';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';

/** Saves a part of the project; each section has its own. */
export function useSaveProject(project: ProjectView, successText: string) {
  return useChange({
    send: (patch: ProjectPatch) =>
      api.patch<ProjectView>(`/projects/${encodeURIComponent(project.id)}`, patch),
    invalidates: [['projects']],
    inline: true,
    successText,
  });
}
