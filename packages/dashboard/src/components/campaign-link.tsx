import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { campaignOfQuery } from '../api/campaign-queries.ts';
import { Waypoints } from '../icons.ts';
import { buttonClass } from './button.tsx';
import { count } from './format.ts';

/** A link to the campaign that something belongs to. Nothing while it is not known, or if it belongs to none. */
export function CampaignLink({ projectId, of }: { projectId: string; of: string }) {
  const { data: campaign } = useQuery(campaignOfQuery(projectId, of));
  if (!campaign) return null;
  return (
    <Link
      to="/projects/$projectId/campaigns/$campaignId"
      params={{ projectId, campaignId: campaign.id }}
      className={buttonClass('plain')}
    >
      <Waypoints size={15} aria-hidden="true" /> Campaign of {count(campaign.people)}
    </Link>
  );
}
