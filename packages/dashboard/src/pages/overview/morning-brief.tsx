import type { CampaignView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { campaignQuery, openCampaignsQuery, useCampaignChanges } from '../../api/campaign-queries.ts';
import { apiUrl } from '../../api/client.ts';
import { usePermissions } from '../../api/use-session.ts';
import { CampaignState } from '../../components/badge.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { campaignName, campaignStory, outcomesText } from '../../components/campaign-text.ts';
import { count, relativeTime } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { DecideCampaign } from '../campaigns/decide-campaign.tsx';

/** A visit ends when the page has not been open for this long. */
const VISIT_ENDS_MS = 30 * 60_000;

/** When the person was here last, in this browser: until then the brief does not have to go back. */
function useLastVisit(projectId: string): number | undefined {
  const key = `postern-visit-${projectId}`;
  const [last] = useState(() => {
    const [seen = 0, before = 0] = (localStorage.getItem(key) ?? '').split(' ').map(Number);
    return Date.now() - seen > VISIT_ENDS_MS ? seen : before;
  });
  useEffect(() => {
    const note = () => localStorage.setItem(key, `${Date.now()} ${last}`);
    note();
    const timer = setInterval(note, 60_000);
    return () => clearInterval(timer);
  }, [key, last]);
  return last > 0 ? last : undefined;
}

/** What happened since the last look: each campaign that waits, with what can be done about all of it. */
export function MorningBrief({ projectId }: { projectId: string }) {
  const { data = [] } = useQuery(openCampaignsQuery(projectId));
  const last = useLastVisit(projectId);
  if (data.length === 0) return null;
  return (
    <Section
      title="Campaigns that wait for you"
      lead={last !== undefined && `You were last here ${relativeTime(last, Date.now())}.`}
      flush
    >
      <ul aria-label="Campaigns" className="divide-y divide-line border-t border-line">
        {data.map((campaign) => (
          <Campaign
            key={campaign.id}
            projectId={projectId}
            campaign={campaign}
            isNew={last !== undefined && campaign.seenAt > last}
          />
        ))}
      </ul>
    </Section>
  );
}

interface CampaignProps {
  projectId: string;
  campaign: CampaignView;
  /** Noticed since the last visit. */
  isNew: boolean;
}

function Campaign({ projectId, campaign, isNew }: CampaignProps) {
  const [action, setAction] = useState<'block' | 'none' | undefined>();
  const { acknowledge } = useCampaignChanges(projectId, campaign.id);
  const may = usePermissions();
  const ids = { id: projectId, campaignId: campaign.id };
  const gotIn = campaign.answers.allow;
  return (
    <li className="grid gap-2 px-4 py-3.5 sm:px-5">
      <p className="flex flex-wrap items-center gap-x-2">
        <Link
          to="/projects/$projectId/campaigns/$campaignId"
          params={{ projectId, campaignId: campaign.id }}
          className="link font-semibold wrap-anywhere"
        >
          {campaignName(campaign)}
        </Link>
        <CampaignState campaign={campaign} />
        {isNew && <span className="text-[0.8667rem] text-soft">since your last visit</span>}
      </p>
      <p>
        {campaignStory(campaign)} <span className="text-soft">{outcomesText(campaign)}</span>
      </p>
      <p className="flex flex-wrap gap-2">
        {may.decide && (
          <>
            <Button small onClick={() => setAction('block')}>
              Block all behind it…
            </Button>
            <Button small onClick={() => setAction('none')}>
              Mark its people as bad…
            </Button>
          </>
        )}
        {gotIn > 0 && (
          <a
            href={apiUrl('GET /projects/:id/campaigns/:campaignId/requests.csv', { ...ids, allowed: 'true' })}
            download={`campaign-${campaign.id}-got-in.csv`}
            className={buttonClass('plain', true)}
          >
            Request IDs of the {count(gotIn)} who got in
          </a>
        )}
        {may.decide && (
          <Button small busy={acknowledge.isPending} onClick={() => acknowledge.mutate(true)}>
            Acknowledge
          </Button>
        )}
      </p>
      {action !== undefined && (
        <Decide {...{ projectId, action }} id={campaign.id} onClose={() => setAction(undefined)} />
      )}
    </li>
  );
}

interface DecideProps {
  projectId: string;
  id: string;
  action: 'block' | 'none';
  onClose: () => void;
}

function Decide({ projectId, id, action, onClose }: DecideProps) {
  const { data } = useQuery(campaignQuery(projectId, id));
  return data && <DecideCampaign projectId={projectId} campaign={data} action={action} onClose={onClose} />;
}
