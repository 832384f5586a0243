import type { CampaignDetail, CampaignLink, CampaignPerson } from '@postern/contract/dashboard';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { campaignPeopleQuery, campaignQuery, useCampaignChanges } from '../../api/campaign-queries.ts';
import { apiUrl } from '../../api/client.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { CampaignState, RecommendationBadge } from '../../components/badge.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { campaignName, campaignStory, outcomesText, thingName } from '../../components/campaign-text.ts';
import { count, plural } from '../../components/format.ts';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, ShowMore, SkeletonRows } from '../../components/pending.tsx';
import { StepUps } from '../../components/step-ups.tsx';
import { AgoCell, Cell, NarrowName, Table } from '../../components/table.tsx';
import { ThingLink } from '../../components/thing-link.tsx';
import { Ago, Moment } from '../../components/time.tsx';
import { DecideCampaign, listable } from './decide-campaign.tsx';

/** One campaign: what happened, who got in, what is behind it, and what can be done about all of it. */
export function CampaignPage() {
  const { id: projectId } = useProject();
  const { campaignId } = useParams({ from: '/app/projects/$projectId/campaigns/$campaignId' });
  const campaign = useQuery(campaignQuery(projectId, campaignId));
  return (
    <Page
      title={campaign.data === undefined ? 'Campaign' : `Campaign: ${campaignName(campaign.data)}`}
      actions={campaign.data !== undefined && <Actions projectId={projectId} campaign={campaign.data} />}
    >
      <Loaded query={campaign} pending={<SkeletonRows rows={10} className="card p-5" />}>
        {(view) => (
          <>
            <Story projectId={projectId} campaign={view} />
            <Behind campaign={view} />
            <StepUps stepUps={view.stepUps} />
            <CampaignPeople projectId={projectId} campaign={view} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const DID = { block: 'blocked what is behind it', flag: 'flagged what is behind it', none: '' } as const;

function Story({ projectId, campaign }: { projectId: string; campaign: CampaignDetail }) {
  const asked = { id: projectId, campaignId: campaign.id };
  const file = (allowed: boolean) =>
    apiUrl('GET /projects/:id/campaigns/:campaignId/requests.csv', { ...asked, allowed: String(allowed) });
  const may = usePermissions();
  const { undo } = useCampaignChanges(projectId, campaign.id);
  const last = campaign.decisions.at(-1);
  return (
    <div className="card grid gap-2 p-4 sm:p-5">
      <p className="text-[1.05rem]">
        <CampaignState campaign={campaign} /> {campaignStory(campaign)}
      </p>
      <p className="text-soft">
        {outcomesText(campaign)} First noticed <Moment at={campaign.seenAt} />
        {campaign.acknowledgedAt !== null && (
          <>
            , acknowledged <Ago at={campaign.acknowledgedAt} /> by {campaign.acknowledgedByName ?? 'somebody'}
          </>
        )}
        .
      </p>
      <ul className="text-soft">
        {campaign.decisions.map(({ at, byName, action, bad, expiresAt }) => (
          <li key={at}>
            <Moment at={at} />: {byName ?? 'Somebody'}{' '}
            {[DID[action], ...(bad ? ['marked its people as bad'] : [])]
              .filter((text) => text !== '')
              .join(' and ')}
            {expiresAt !== null && (
              <>
                , until <Moment at={expiresAt} />
              </>
            )}
            .
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-2">
        {campaign.answers.allow > 0 && (
          <a
            href={file(true)}
            download={`campaign-${campaign.id}-got-in.csv`}
            className={buttonClass('plain', true)}
          >
            Request IDs of the {count(campaign.answers.allow)} who got in
          </a>
        )}
        <a href={file(false)} download={`campaign-${campaign.id}.csv`} className={buttonClass('plain', true)}>
          All request IDs
        </a>
        {may.decide && last !== undefined && (
          <Button small busy={undo.isPending} onClick={() => undo.mutate(last.at)}>
            Undo the last decision
          </Button>
        )}
      </p>
    </div>
  );
}

function Actions({ projectId, campaign }: { projectId: string; campaign: CampaignDetail }) {
  const [action, setAction] = useState<'block' | 'flag' | 'none' | undefined>();
  const { acknowledge } = useCampaignChanges(projectId, campaign.id);
  const may = usePermissions();
  if (!may.decide) return null;
  const isLooked = campaign.acknowledgedAt !== null;
  const has = listable(campaign).length > 0;
  return (
    <>
      {has && (
        <>
          <Button variant="primary" onClick={() => setAction('block')}>
            Block all of it…
          </Button>
          <Button onClick={() => setAction('flag')}>Flag all of it…</Button>
        </>
      )}
      <Button onClick={() => setAction('none')}>Mark its people as bad…</Button>
      <Button disabled={acknowledge.isPending} onClick={() => acknowledge.mutate(!isLooked)}>
        {isLooked ? 'Open again' : 'Acknowledge'}
      </Button>
      {action !== undefined && (
        <DecideCampaign
          projectId={projectId}
          campaign={campaign}
          action={action}
          onClose={() => setAction(undefined)}
        />
      )}
    </>
  );
}

const KINDS = {
  domain: 'Domain',
  mailHost: 'Mail host',
  device: 'Device',
  network: 'Network',
  shape: 'Pattern of names',
} as const;

function Behind({ campaign }: { campaign: CampaignDetail }) {
  const { things, hits } = campaign;
  const { id: projectId } = useProject();
  return (
    <Section
      title="Behind it"
      lead={
        things.length === 0
          ? 'Nothing that speaks against whoever comes with it: its people share things only together.'
          : `What speaks against whoever comes with it. Blocking all of it would hit ${plural(hits.people, 'known good person', 'known good people')}.`
      }
      flush
    >
      {things.length > 0 && (
        <Table label="Behind it" head={['', 'What', 'Its people', 'Others']} flows>
          {things.map((thing) => (
            <tr key={thing.kind + thing.name}>
              <Cell className="whitespace-nowrap text-soft">{KINDS[thing.kind]}</Cell>
              <Cell className="font-mono text-[0.8667rem] wrap-anywhere">
                {thing.kind === 'shape' ? (
                  thing.name
                ) : (
                  <ThingLink projectId={projectId} of={{ [thing.kind]: thing.name }} className="link">
                    {thing.kind === 'device' ? thingName(thing).replace('device ', '') : thing.name}
                  </ThingLink>
                )}
              </Cell>
              <Cell className="num">
                <NarrowName>Its people</NarrowName>
                {count(thing.people)}
              </Cell>
              <Cell className="num text-soft">{thing.kind !== 'shape' && plural(thing.others, 'other')}</Cell>
            </tr>
          ))}
        </Table>
      )}
      {hits.listed.length > 0 && (
        <p className="px-4 py-3 text-[0.9rem] text-soft sm:px-5">
          Known good:{' '}
          {hits.listed.slice(0, 10).map(({ inbox, maskedAddress }, index) => (
            <span key={inbox}>
              {index > 0 && ', '}
              <ThingLink projectId={projectId} of={{ person: inbox }} className="link">
                {maskedAddress ?? `${inbox.slice(0, 12)}…`}
              </ThingLink>
            </span>
          ))}
          {hits.people > 10 && ` and ${hits.people - 10} more`}
        </p>
      )}
    </Section>
  );
}

/** Everybody in the campaign, with what each shares with others. */
function CampaignPeople({ projectId, campaign }: { projectId: string; campaign: CampaignDetail }) {
  const people = useInfiniteQuery(campaignPeopleQuery(projectId, campaign.id));
  const rows = people.data?.pages.flatMap((page) => page.rows);
  return (
    <Section title="People" lead="The one who came first comes first." flush>
      <Loaded query={{ ...people, data: rows }} pending={<SkeletonRows rows={6} className="p-5" />}>
        {(all) => (
          <Table label="People" head={['Person', 'Why', 'Answer', 'Known', 'First', 'Last']} flows>
            {all.map((person) => (
              <PersonRow key={person.inbox} projectId={projectId} person={person} />
            ))}
          </Table>
        )}
      </Loaded>
      <ShowMore query={people}>Show more</ShowMore>
    </Section>
  );
}

function PersonRow({ projectId, person }: { projectId: string; person: CampaignPerson }) {
  const { inbox, maskedAddress, because, answer, outcome, firstSeen, lastSeen } = person;
  return (
    <tr>
      <Cell className="wrap-anywhere">
        <ThingLink projectId={projectId} of={{ person: inbox }} className="link">
          {maskedAddress ?? `${inbox.slice(0, 12)}…`}
        </ThingLink>
      </Cell>
      <Cell className="text-[0.8667rem] text-soft max-md:w-full">{reasonText(because)}</Cell>
      <Cell>
        <RecommendationBadge value={answer} />
      </Cell>
      <Cell className="whitespace-nowrap text-soft">{outcome ?? 'not known'}</Cell>
      <Cell className="text-soft">
        <Moment at={firstSeen} />
      </Cell>
      <AgoCell at={lastSeen} narrow />
    </tr>
  );
}

/** What the person has in common with others of the campaign. */
function reasonText({ kind, device = '', network = '', domain, mailHost, pattern }: CampaignLink): string {
  const names = pattern === undefined ? `people at ${domain ?? network}` : `names like ${pattern}@${domain}`;
  switch (kind) {
    case 'device':
      return `Device ${device.slice(0, 8)}…, which brought too many`;
    case 'domain':
      return `${domain}, which a crowd came with`;
    case 'mailHost':
      return `Mail host ${mailHost}, which a crowd came with`;
    case 'network':
      return `Network ${network}, which a crowd came from`;
    case 'rented_domains':
      return `One of several crowded domains with mail at ${mailHost}`;
    case 'network_domain':
      return `${pattern === undefined ? domain : names} from ${network} on shared devices`;
    case 'network_burst':
      return `Many ${names}${pattern === undefined ? '' : ` from ${network}`} within an hour`;
    case 'domain_burst':
      return `Many ${names} within an hour`;
    case 'campaign':
      return 'Came later with something that is behind it';
  }
}
