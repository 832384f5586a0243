import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { projectsQuery } from '../api/queries.ts';
import { PROJECT_PLACES, WORKSPACE_PLACES } from './navigation.ts';

interface Target {
  readonly key: string;
  readonly name: string;
  readonly where: string;
  readonly searchWords: string;
  readonly go: () => unknown;
}

function useTargets(): Target[] {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const { data: projects = [] } = useQuery(projectsQuery);
  const current = projects.find((project) => project.id === projectId);
  return [
    ...(projectId === undefined
      ? []
      : PROJECT_PLACES.map(({ to, name, searchWords = '' }) => ({
          key: to,
          name,
          where: current?.name ?? projectId,
          searchWords,
          go: () => navigate({ to, params: { projectId } }),
        }))),
    ...projects.map(({ id, name, archivedAt }) => ({
      key: `project-${id}`,
      name,
      where: archivedAt === null ? 'Project' : 'Archived project',
      searchWords: id,
      go: () => navigate({ to: '/projects/$projectId', params: { projectId: id } }),
    })),
    ...WORKSPACE_PLACES.map(({ to, name, searchWords = '' }) => ({
      key: `workspace-${to}`,
      name,
      where: 'Workspace',
      searchWords,
      go: () => navigate({ to }),
    })),
  ];
}

/** Ctrl-K or Cmd-K: type a few letters of a page or a project, press Enter. */
export function JumpMenu({ onClose }: { onClose: () => void }) {
  const targets = useTargets();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup aria-label="Jump to" className="modal jump-menu">
          <Autocomplete.Root
            open
            inline
            items={targets}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={({ name, where, searchWords }) => `${name} ${where} ${searchWords}`}
          >
            <Autocomplete.Input
              aria-label="Jump to a page or a project"
              className="w-full border-b border-line bg-transparent px-4 py-3.5 outline-none placeholder:text-faint"
              placeholder="Jump to a page or a project…"
            />
            <Autocomplete.Empty className="px-4 py-3 text-soft empty:hidden">
              No page or project has this name.
            </Autocomplete.Empty>
            <Autocomplete.List aria-label="Places" className="max-h-[50dvh] overflow-y-auto p-1.5 empty:p-0">
              {(target: Target) => (
                <Autocomplete.Item
                  key={target.key}
                  value={target}
                  className="flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 data-highlighted:bg-accent-soft"
                  onClick={() => {
                    onClose();
                    target.go();
                  }}
                >
                  <span className="font-medium">{target.name}</span>
                  <span className="truncate text-[0.8667rem] text-soft">{target.where}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
