import { Link, Outlet } from '@tanstack/react-router';
import { useProject } from '../api/use-project.ts';
import { dayOf } from '../components/format.ts';
import { Notice } from '../components/notice.tsx';

/** What every page of a project has: the notice that it is archived. */
export function ProjectFrame() {
  const { id, archivedAt } = useProject();
  return (
    <>
      {archivedAt !== null && (
        <Notice kind="warn" className="mb-5">
          This project was archived on {dayOf(archivedAt)}. Its keys are refused.{' '}
          <Link to="/projects/$projectId/settings" params={{ projectId: id }} className="link">
            Restore it in the settings
          </Link>
          .
        </Notice>
      )}
      <Outlet />
    </>
  );
}
