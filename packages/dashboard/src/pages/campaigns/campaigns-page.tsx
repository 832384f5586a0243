import type { CampaignView } from '@postern/contract/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { campaignsQuery } from '../../api/campaign-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { Badge } from '../../components/badge.tsx';
import { buttonClass } from '../../components/button.tsx';
import { campaignName } from '../../components/campaign-text.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { count } from '../../components/format.ts';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, ShowMore, SkeletonRows } from '../../components/pending.tsx';
import { Cell, NarrowName, Table } from '../../components/table.tsx';
import { Ago, Moment } from '../../components/time.tsx';
import { Waypoints } from '../../icons.ts';

/** Everybody who belongs together: attacks of an hour and farms of weeks. */
export function CampaignsPage() {
  const { id: projectId } = useProject();
  const campaigns = useInfiniteQuery(campaignsQuery(projectId));
  const rows = campaigns.data?.pages.flatMap((page) => page.rows);
  return (
    <Page
      title="Campaigns"
      lead="People who belong together: many within an hour, or a farm over weeks. What many unrelated people have in common links nobody."
      actions={
        <Link to="/projects/$projectId/webhooks" params={{ projectId }} className={buttonClass()}>
          Be told by webhook or mail
        </Link>
      }
    >
      <Loaded query={{ ...campaigns, data: rows }} pending={<SkeletonRows rows={6} className="card p-5" />}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Waypoints} title="No campaign">
              A campaign appears here when at least six people share a device, a domain, a mail host or a
              network in a way that strangers do not. You see how many got in, and answer all of it with one
              click.
            </EmptyState>
          ) : (
            <Section title="Campaigns" lead="Those with the newest people first." flush>
              <Table
                label="Campaigns"
                head={['Behind it', 'People', 'Got in', 'Flagged', 'Blocked', 'Known', 'First', 'Last', '']}
                flows
              >
                {all.map((campaign) => (
                  <CampaignRow key={campaign.id} projectId={projectId} campaign={campaign} />
                ))}
              </Table>
              <ShowMore query={campaigns} />
            </Section>
          )
        }
      </Loaded>
    </Page>
  );
}

function CampaignRow({ projectId, campaign }: { projectId: string; campaign: CampaignView }) {
  const { answers, bad, good } = campaign;
  const numbers = [
    ['People', campaign.people],
    ['Got in', answers.allow],
    ['Flagged', answers.flag],
    ['Blocked', answers.block],
  ] as const;
  return (
    <tr>
      <Cell className="wrap-anywhere max-md:w-full">
        <Link
          to="/projects/$projectId/campaigns/$campaignId"
          params={{ projectId, campaignId: campaign.id }}
          className="link font-medium"
        >
          {campaignName(campaign)}
        </Link>
      </Cell>
      {numbers.map(([name, value]) => (
        <Cell key={name} className="num">
          <NarrowName>{name}</NarrowName>
          {count(value)}
        </Cell>
      ))}
      <Cell className="whitespace-nowrap text-soft">
        {bad + good === 0 ? 'nothing' : `${count(bad)} bad, ${count(good)} good`}
      </Cell>
      <Cell className="text-soft">
        <Moment at={campaign.since} />
      </Cell>
      <Cell className="text-soft">
        <Ago at={campaign.lastSeen} narrow />
      </Cell>
      <Cell>
        <CampaignState campaign={campaign} />
      </Cell>
    </tr>
  );
}

const DECIDED = { block: 'blocked', flag: 'flagged', none: 'marked as bad' } as const;

export function CampaignState({ campaign }: { campaign: CampaignView }) {
  const last = campaign.decisions.at(-1);
  if (last !== undefined) return <Badge tone="accent">{DECIDED[last.action]}</Badge>;
  if (campaign.acknowledgedAt !== null) return <Badge>acknowledged</Badge>;
  return <Badge tone={campaign.underWay ? 'block' : 'flag'}>{campaign.underWay ? 'under way' : 'new'}</Badge>;
}
