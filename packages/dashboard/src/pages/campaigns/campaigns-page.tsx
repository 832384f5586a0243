import type { CampaignView } from '@postern/contract/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { campaignsQuery, undoCampaign } from '../../api/campaign-queries.ts';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { CampaignState } from '../../components/badge.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { campaignName } from '../../components/campaign-text.ts';
import { SelectAll, SelectBox, toggled } from '../../components/check-box.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { count, plural } from '../../components/format.ts';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, ShowMore, SkeletonRows } from '../../components/pending.tsx';
import { AgoCell, Cell, NarrowName, Table } from '../../components/table.tsx';
import { Moment } from '../../components/time.tsx';
import { Waypoints } from '../../icons.ts';

/** Everybody who belongs together: attacks of an hour and farms of weeks. */
export function CampaignsPage() {
  const { id: projectId } = useProject();
  const campaigns = useInfiniteQuery(campaignsQuery(projectId));
  const rows = campaigns.data?.pages.flatMap((page) => page.rows);
  const may = usePermissions();
  const [ids, select] = useState<readonly string[]>([]);
  const selected = new Set(ids);
  const { acknowledge, markBad } = useManyCampaigns(projectId);
  const chosen = (rows ?? []).filter(({ id }) => selected.has(id));
  const open = chosen.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  const unknown = chosen.filter(({ people, good, bad }) => people > good + bad);
  const people = unknown.reduce((sum, one) => sum + one.people - one.good - one.bad, 0);
  const change = ({ mutate }: typeof markBad, campaigns: typeof chosen) =>
    mutate(
      campaigns.map(({ id }) => id),
      { onSuccess: () => select([]) },
    );
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
              {may.decide && (
                <div className="flex min-h-12 flex-wrap items-center gap-4 border-line border-t px-4 sm:px-5">
                  <SelectAll names={all.map(({ id }) => id)} selected={selected} onSelect={select} />
                  <Button
                    small
                    busy={acknowledge.isPending}
                    disabled={open.length === 0}
                    onClick={() => change(acknowledge, open)}
                  >
                    {open.length === 0
                      ? 'Acknowledge selected'
                      : `Acknowledge ${plural(open.length, 'campaign')}`}
                  </Button>
                  {people > 0 && (
                    <Button small busy={markBad.isPending} onClick={() => change(markBad, unknown)}>
                      Mark {plural(people, 'person', 'people')} as bad
                    </Button>
                  )}
                </div>
              )}
              <Table label="Campaigns" head={may.decide ? ['', ...HEAD] : HEAD} flows>
                {all.map((campaign) => (
                  <CampaignRow key={campaign.id} projectId={projectId} campaign={campaign}>
                    {may.decide && (
                      <Cell className="w-8">
                        <SelectBox
                          label={`Select ${campaignName(campaign)}`}
                          checked={selected.has(campaign.id)}
                          onChange={(on) => select(toggled(selected, campaign.id, on))}
                        />
                      </Cell>
                    )}
                  </CampaignRow>
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

/** What members do about several campaigns, with one Undo for all of them. */
function useManyCampaigns(id: string) {
  const each =
    <Answer,>(work: (asked: { id: string; campaignId: string }) => Promise<Answer>) =>
    async (campaigns: readonly string[]) => {
      const answers: Answer[] = [];
      for (const campaignId of campaigns) answers.push(await work({ id, campaignId }));
      return answers;
    };
  const acknowledge = (acknowledged: boolean) =>
    each((asked) => api('PATCH /projects/:id/campaigns/:campaignId', asked, { body: { acknowledged } }));
  return {
    acknowledge: useChange({
      send: acknowledge(true),
      undo: (_, campaigns) => ({
        text: `${plural(campaigns.length, 'campaign is', 'campaigns are')} acknowledged.`,
        back: () => acknowledge(false)(campaigns),
      }),
    }),
    markBad: useChange<readonly string[], CampaignView[]>({
      send: each((asked) =>
        api('POST /projects/:id/campaigns/:campaignId/decide', asked, {
          body: { action: 'none', bad: true },
        }),
      ),
      undo: (marked, campaigns) => ({
        text: `The people of ${plural(campaigns.length, 'campaign')} count as bad.`,
        back: async () => {
          for (const { id: campaignId, decisions } of marked)
            await undoCampaign({ id, campaignId }, decisions.at(-1)?.at);
          return 'The decision is taken back.';
        },
      }),
    }),
  };
}

const HEAD = ['Behind it', 'People', 'Got in', 'Flagged', 'Blocked', 'Known', 'First', 'Last', ''];

interface CampaignRowProps {
  projectId: string;
  campaign: CampaignView;
  children: ReactNode;
}

function CampaignRow({ projectId, campaign, children }: CampaignRowProps) {
  const { answers, bad, good } = campaign;
  const numbers = [
    ['People', campaign.people],
    ['Got in', answers.allow],
    ['Flagged', answers.flag],
    ['Blocked', answers.block],
  ] as const;
  return (
    <tr>
      {children}
      <Cell className="wrap-anywhere max-md:flex-[1_0_80%]">
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
        <NarrowName>Known</NarrowName>
        {bad + good === 0 ? 'nothing' : `${count(bad)} bad, ${count(good)} good`}
      </Cell>
      <Cell className="text-soft">
        <Moment at={campaign.since} />
      </Cell>
      <AgoCell at={campaign.lastSeen} narrow />
      <Cell>
        <CampaignState campaign={campaign} />
      </Cell>
    </tr>
  );
}
