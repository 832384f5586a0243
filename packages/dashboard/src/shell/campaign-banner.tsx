import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { openCampaignsQuery, useCampaignChanges } from '../api/campaign-queries.ts';
import { usePermissions } from '../api/use-session.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { campaignName, campaignStory } from '../components/campaign-text.ts';
import { plural } from '../components/format.ts';
import { Notice } from '../components/notice.tsx';

/** On every page of the project while there is a campaign that no member has acknowledged. */
export function CampaignBanner({ projectId }: { projectId: string }) {
  const { data = [] } = useQuery(openCampaignsQuery(projectId));
  const { pathname } = useLocation();
  const may = usePermissions();
  const [campaign] = data;
  const { acknowledge } = useCampaignChanges(projectId, campaign?.id ?? '');
  // The page of today shows each at its top.
  const isToday = pathname.replace(/\/$/, '').endsWith(`/projects/${projectId}`);
  if (campaign === undefined || isToday || pathname.includes('/campaigns')) return null;
  const more = data.length - 1;
  return (
    <Notice
      kind="warn"
      className="mb-5"
      action={
        <>
          <Link
            to="/projects/$projectId/campaigns/$campaignId"
            params={{ projectId, campaignId: campaign.id }}
            className={buttonClass('plain', true)}
          >
            Look at it
          </Link>
          {may.decide && (
            <Button small disabled={acknowledge.isPending} onClick={() => acknowledge.mutate(true)}>
              Acknowledge
            </Button>
          )}
        </>
      }
    >
      <strong>
        {campaign.underWay ? 'A campaign is under way' : 'There was a campaign'}: {campaignName(campaign)}.
      </strong>{' '}
      {campaignStory(campaign)}
      {more > 0 && (
        <>
          {' '}
          <Link to="/projects/$projectId/campaigns" params={{ projectId }} className="link">
            And {plural(more, 'other campaign')}
          </Link>
          .
        </>
      )}
    </Notice>
  );
}

/** How many campaigns wait to be acknowledged; nothing when there is none. */
export function CampaignCount({ projectId }: { projectId: string }) {
  const { data = [] } = useQuery(openCampaignsQuery(projectId));
  if (data.length === 0) return null;
  return (
    <span className="num ml-auto rounded-md bg-block-soft px-1.5 text-[0.8rem] text-block">
      {data.length}
      <span className="sr-only"> {data.length === 1 ? 'campaign' : 'campaigns'}</span>
    </span>
  );
}
