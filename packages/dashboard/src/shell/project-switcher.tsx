import { Menu } from '@base-ui/react/menu';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Check, ChevronsUpDown, LayoutGrid } from 'lucide-react';
import { projectsQuery } from '../api/queries.ts';

const ITEM =
  'flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-[0.9333rem] outline-none data-highlighted:bg-hover';

export function ProjectSwitcher() {
  const { projectId } = useParams({ strict: false });
  const { data: projects = [] } = useQuery(projectsQuery);
  const navigate = useNavigate();
  const current = projects.find((project) => project.id === projectId);
  const live = projects.filter((project) => project.archivedAt === null || project.id === projectId);
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={`Project: ${current?.name ?? projectId ?? 'all projects'}. Switch…`}
        className="flex w-full min-w-0 items-center gap-2 rounded-lg border border-line bg-surface px-2.5 py-1.5 text-left hover:border-line-strong"
      >
        <span className="min-w-0 flex-1 truncate text-[0.9333rem] font-medium">
          {current?.name ?? projectId ?? 'All projects'}
        </span>
        <ChevronsUpDown size={15} aria-hidden="true" className="shrink-0 text-faint" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side="bottom" align="start" sideOffset={6} className="z-40">
          <Menu.Popup className="max-h-[60dvh] min-w-60 overflow-y-auto rounded-xl border border-line bg-surface p-1.5 shadow-pop outline-none">
            {live.map((project) => (
              <Menu.Item
                key={project.id}
                className={ITEM}
                onClick={() =>
                  void navigate({ to: '/projects/$projectId', params: { projectId: project.id } })
                }
              >
                <span className="min-w-0 flex-1 truncate">{project.name}</span>
                {project.id === projectId && <Check size={15} aria-hidden="true" className="text-accent" />}
              </Menu.Item>
            ))}
            <div className="my-1.5 border-t border-line" />
            <Menu.Item className={ITEM} onClick={() => void navigate({ to: '/' })}>
              <LayoutGrid size={15} aria-hidden="true" /> All projects
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
