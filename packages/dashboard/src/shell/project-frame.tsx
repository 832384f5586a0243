import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { webhooksQuery } from '../api/outcome-queries.ts';
import { useProject } from '../api/use-project.ts';
import { dayOf } from '../components/format.ts';
import { Notice } from '../components/notice.tsx';
import { CampaignBanner } from './campaign-banner.tsx';

/** Shown on every page of a project: notices that it is archived, of a campaign, or that a webhook is switched off. */
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
      <CampaignBanner projectId={id} />
      <WebhooksOff projectId={id} />
      <Outlet />
    </>
  );
}

/** On every page, because members would otherwise not notice that events no longer arrive. */
function WebhooksOff({ projectId }: { projectId: string }) {
  const { data = [] } = useQuery(webhooksQuery(projectId));
  const off = data.filter(({ disabledAt, paused }) => disabledAt !== null && !paused);
  if (off.length === 0) return null;
  return (
    <Notice kind="bad" className="mb-5">
      {off.length === 1 ? 'A webhook is' : `${off.length} webhooks are`} switched off, because the receiver
      failed. Events are not sent there.{' '}
      <Link to="/projects/$projectId/webhooks" params={{ projectId }} className="link">
        See the webhooks
      </Link>
      .
    </Notice>
  );
}
