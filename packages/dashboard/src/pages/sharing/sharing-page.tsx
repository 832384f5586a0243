import type { SharingView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { sharingQuery } from '../../api/queries.ts';
import { useProject } from '../../api/use-project.ts';
import { RecommendationBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { count, plural } from '../../components/format.ts';
import { ListEntries } from '../../components/list-entries.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { Cell, Table, WIDE_CELL } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { LatelyShared } from './lately-shared.tsx';
import { SharingActions } from './sharing-actions.tsx';
import { SharingPicture } from './sharing-picture.tsx';

export function SharingPage() {
  const project = useProject();
  const { device, inbox } = useSearch({ from: '/app/projects/$projectId/sharing' });
  const hash = device ?? inbox;
  return (
    <Page
      title="Devices & inboxes"
      lead="Devices that sign up with many inboxes, and inboxes with many spellings. They are stored as keyed hashes, for this project only."
    >
      {hash === undefined ? (
        <LatelyShared projectId={project.id} threshold={project.policy.deviceThreshold} />
      ) : (
        // A device of its own for each address: nothing that was opened for one stays open for the next.
        <Sharing
          key={hash}
          projectId={project.id}
          kind={device !== undefined ? 'device' : 'inbox'}
          hash={hash}
        />
      )}
    </Page>
  );
}

interface SharingProps {
  projectId: string;
  kind: 'device' | 'inbox';
  hash: string;
}

function Sharing({ projectId, kind, hash }: SharingProps) {
  const sharing = useQuery(sharingQuery(projectId, kind, hash));
  return (
    <Loaded query={sharing} pending={<Skeleton className="h-80" />}>
      {(view) =>
        view.sightings.length === 0 && view.recent.length === 0 ? (
          <Notice kind="note">
            The project remembers nothing of this {kind}. It forgets after its retention time, and test keys
            leave no trace.
          </Notice>
        ) : (
          <SharingBody projectId={projectId} view={view} />
        )
      }
    </Loaded>
  );
}

const HASH_CELL = 'max-w-24 truncate font-mono text-[0.8333rem] md:max-w-none';

const SIGHTINGS_AT_FIRST = 10;

function SharingBody({ projectId, view }: { projectId: string; view: SharingView }) {
  const [all, setAll] = useState(false);
  const sightings = all ? view.sightings : view.sightings.slice(0, SIGHTINGS_AT_FIRST);
  return (
    <>
      <SharingActions projectId={projectId} view={view} />
      <ListEntries projectId={projectId} listed={view.listed} />
      <Section
        title={view.kind === 'device' ? 'Inboxes of this device' : 'Devices of this inbox'}
        lead={`Seen ${plural(view.times, 'time')} with ${view.kind === 'device' ? plural(view.others, 'inbox', 'inboxes') : plural(view.others, 'device')}.`}
      >
        <SharingPicture projectId={projectId} view={view} />
      </Section>
      <Section title="Sightings" flush>
        <Table
          label="Sightings"
          head={['Device', 'Inbox', 'Times', 'First seen', 'Last seen']}
          wideColumns={[3]}
        >
          {sightings.map((each) => (
            <tr key={`${each.device}-${each.inbox}`}>
              <Cell className={HASH_CELL}>
                <Link
                  to="/projects/$projectId/sharing"
                  params={{ projectId }}
                  search={{ device: each.device }}
                  className="link"
                >
                  {each.device.slice(0, 14)}…
                </Link>
              </Cell>
              <Cell className={HASH_CELL}>
                <Link
                  to="/projects/$projectId/people/$inbox"
                  params={{ projectId, inbox: each.inbox }}
                  className="link"
                >
                  {each.inbox.slice(0, 14)}…
                </Link>
              </Cell>
              <Cell className="num">{count(each.count)}</Cell>
              <Cell className={`${WIDE_CELL} text-soft`}>
                <Ago at={each.firstSeen} narrow />
              </Cell>
              <Cell className="text-soft">
                <Ago at={each.lastSeen} narrow />
              </Cell>
            </tr>
          ))}
        </Table>
        {sightings.length < view.sightings.length && (
          <div className="p-3 text-center">
            <Button small onClick={() => setAll(true)}>
              Show all {count(view.sightings.length)}
            </Button>
          </div>
        )}
      </Section>
      {view.recent.length > 0 && <Recent projectId={projectId} rows={view.recent} />}
      <Timeline
        projectId={projectId}
        subject={`${view.kind === 'device' ? 'device' : 'person'}:${view.hash}`}
      />
    </>
  );
}

function Recent({ projectId, rows }: { projectId: string; rows: SharingView['recent'] }) {
  return (
    <Section title="Newest validations" flush>
      <Table label="Newest validations" head={['Address', 'Answer', 'When']}>
        {rows.map((row) => (
          <tr key={row.id}>
            <Cell className="wrap-anywhere">
              <Link
                to="/projects/$projectId/validations"
                params={{ projectId }}
                search={{ open: row.id }}
                className="font-medium hover:text-accent hover:underline"
              >
                {row.maskedAddress}
              </Link>
            </Cell>
            <Cell>
              <RecommendationBadge value={row.recommendation} />
            </Cell>
            <Cell className="text-soft">
              <Ago at={row.at} narrow />
            </Cell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
