import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { projectsQuery } from '../api/queries.ts';
import { PopupMenu } from '../components/popup-menu.tsx';
import { Archive, Check, ChevronsUpDown, LayoutGrid } from '../icons.ts';
import { PROJECT_TABS } from './navigation.ts';
import { useOpenPlace } from './place-tabs.tsx';

/** Switching keeps the section: from one project's keys to the other's. */
export function ProjectSwitcher() {
  const { projectId } = useParams({ strict: false });
  const { data: projects = [] } = useQuery(projectsQuery);
  const navigate = useNavigate();
  const section = useSection();
  const { kind = '' } = useParams({ strict: false });
  const current = projects.find((project) => project.id === projectId);
  const shown = projects.filter((project) => project.archivedAt === null || project.id === projectId);
  const name = current?.name ?? projectId ?? 'All projects';
  return (
    <PopupMenu
      label={`Project: ${name}. Switch…`}
      className="flex w-full min-w-0 items-center gap-2 rounded-lg border border-line bg-surface px-2.5 py-1.5 text-left hover:border-line-strong"
      button={
        <>
          {current !== undefined && current.archivedAt !== null && (
            <Archive size={15} aria-label="Archived" className="shrink-0 text-flag" />
          )}
          <span className="min-w-0 flex-1 truncate text-[0.9333rem] font-medium">{name}</span>
          <ChevronsUpDown size={15} className="shrink-0 text-faint" />
        </>
      }
      entries={[
        ...shown.map((project) => ({
          key: project.id,
          label: (
            <>
              <span className="min-w-0 flex-1 truncate">{project.name}</span>
              {project.id === projectId && <Check size={15} className="text-accent" />}
            </>
          ),
          onPick: () => void navigate({ to: section, params: { projectId: project.id, kind } }),
        })),
        {
          key: 'all projects',
          separated: true,
          icon: <LayoutGrid size={15} />,
          label: 'All projects',
          onPick: () => void navigate({ to: '/' }),
        },
      ]}
    />
  );
}

/** The page that is open; the overview outside of a project. */
function useSection(): (typeof PROJECT_TABS)[number]['to'] {
  const open = useOpenPlace();
  return PROJECT_TABS.find(({ to }) => to === open?.tab.to)?.to ?? '/projects/$projectId';
}
