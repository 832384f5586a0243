import type { CampaignDetail, CampaignLink, CampaignPerson } from '@postern/contract/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { campaignPeopleQuery } from '../../api/campaign-queries.ts';
import { RecommendationBadge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded, ShowMore, SkeletonRows } from '../../components/pending.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { ThingLink } from '../../components/thing-link.tsx';
import { Ago, Moment } from '../../components/time.tsx';

/** Everybody in the campaign, with what each shares with others. */
export function CampaignPeople({ projectId, campaign }: { projectId: string; campaign: CampaignDetail }) {
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
      <Cell className="text-soft">
        <Ago at={lastSeen} narrow />
      </Cell>
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
