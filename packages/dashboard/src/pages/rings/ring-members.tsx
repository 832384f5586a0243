import type { RingDetail, RingLink, RingMemberView } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { RecommendationBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { count, plural } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';

const FIRST_SHOWN = 50;

/** Everybody in the ring, with the reasons. */
export function RingMembers({ projectId, ring }: { projectId: string; ring: RingDetail }) {
  const [all, setAll] = useState(false);
  const shown = all ? ring.members : ring.members.slice(0, FIRST_SHOWN);
  return (
    <Section
      title="People"
      lead={
        ring.members.length < ring.people
          ? `The ${count(ring.members.length)} who were seen first, of ${count(ring.people)}.`
          : 'The one who was seen first comes first.'
      }
      flush
    >
      <Table label="People" head={['Person', 'Why', 'Answer', 'Known', 'Seen', 'Last']} flows>
        {shown.map((member) => (
          <MemberRow key={member.inbox} projectId={projectId} member={member} />
        ))}
      </Table>
      {shown.length < ring.members.length && (
        <div className="p-3 text-center">
          <Button small onClick={() => setAll(true)}>
            Show all {count(ring.members.length)}
          </Button>
        </div>
      )}
    </Section>
  );
}

function MemberRow({ projectId, member }: { projectId: string; member: RingMemberView }) {
  return (
    <tr>
      <Cell className="wrap-anywhere">
        <Link
          to="/projects/$projectId/people/$inbox"
          params={{ projectId, inbox: member.inbox }}
          className="link"
        >
          {member.maskedAddress ?? `${member.inbox.slice(0, 12)}…`}
        </Link>
      </Cell>
      <Cell className="max-md:w-full">
        <div className="text-[0.8667rem] text-soft">
          <Reasons projectId={projectId} links={member.links.slice(0, 1)} />
          {member.links.length > 1 && (
            <details>
              <summary className="text-faint">and {plural(member.links.length - 1, 'more reason')}</summary>
              <Reasons projectId={projectId} links={member.links.slice(1)} />
            </details>
          )}
        </div>
      </Cell>
      <Cell>
        <RecommendationBadge value={member.answer} />
      </Cell>
      <Cell className="whitespace-nowrap text-soft">{member.outcome ?? 'not known'}</Cell>
      <Cell className="num whitespace-nowrap text-soft">{plural(member.times, 'time')}</Cell>
      <Cell className="text-soft">
        <Ago at={member.lastSeen} narrow />
      </Cell>
    </tr>
  );
}

function Reasons({ projectId, links }: { projectId: string; links: readonly RingLink[] }) {
  return (
    <ul className="grid gap-0.5">
      {links.map((link) => (
        <li key={JSON.stringify(link)}>
          <Reason projectId={projectId} link={link} />
        </li>
      ))}
    </ul>
  );
}

/** What the person has in common with others of the ring. */
function Reason({ projectId, link }: { projectId: string; link: RingLink }) {
  const { kind, device = '', network = '', domain = '', pattern = '' } = link;
  const names = `names like ${pattern}@${domain}`;
  switch (kind) {
    case 'device':
      return (
        <>
          Device{' '}
          <Link
            to="/projects/$projectId/sharing"
            params={{ projectId }}
            search={{ device }}
            className="link font-mono"
          >
            {device.slice(0, 8)}…
          </Link>
        </>
      );
    case 'network_domain':
      return `${domain} from ${network} on shared devices, within a week`;
    case 'network_pattern':
      return `Names like ${pattern}@${domain} from ${network} on shared devices, within a day`;
    case 'network_burst':
      return `Many ${names} from ${network} within an hour`;
    case 'domain_burst':
      return `Many ${names} within an hour`;
  }
}
