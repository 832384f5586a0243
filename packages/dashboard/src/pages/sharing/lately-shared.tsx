import type { SharedGroup, SharedInbox } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sharedQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { count, plural } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Cell, NarrowName, Table } from '../../components/table.tsx';
import { Ago, Moment } from '../../components/time.tsx';
import { Fingerprint } from '../../icons.ts';

interface LatelySharedProps {
  projectId: string;
  threshold: number;
}

/** The shared devices and inboxes in the newest validations, as a starting point. */
export function LatelyShared({ projectId, threshold }: LatelySharedProps) {
  const shared = useQuery(sharedQuery(projectId));
  const pending = <SkeletonRows rows={5} className="px-5 pb-5" />;
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Section title="Devices with several inboxes" lead="Those with the most inboxes first." flush>
        <Loaded query={shared} pending={pending}>
          {({ devices }) => (
            <Groups
              projectId={projectId}
              kind="device"
              groups={devices}
              empty={`A device appears here when it signs up with a second inbox. The device check fails at ${plural(threshold, 'other inbox', 'other inboxes')}. It needs fingerprintHash in your requests; the SDKs send it.`}
            />
          )}
        </Loaded>
      </Section>
      <Section
        title="Inboxes with several spellings"
        lead="Such as jane+1@ and jane+2@. Those with the most spellings first."
        flush
      >
        <Loaded query={shared} pending={pending}>
          {({ inboxes }) => (
            <Groups
              projectId={projectId}
              kind="inbox"
              groups={inboxes}
              empty="An inbox appears here when it signs up with another spelling, such as jane+2@ after jane@."
            />
          )}
        </Loaded>
      </Section>
      {shared.data?.searchedSince != null && (
        <p className="text-[0.8667rem] text-faint">
          The newest validations were searched, back to <Moment at={shared.data.searchedSince} />.
        </p>
      )}
    </div>
  );
}

interface GroupsProps {
  projectId: string;
  kind: 'device' | 'inbox';
  groups: readonly (SharedGroup | SharedInbox)[];
  empty: string;
}

function Groups({ projectId, kind, groups, empty }: GroupsProps) {
  if (groups.length === 0) {
    return (
      <EmptyState icon={Fingerprint} title="Nothing found">
        {empty}
      </EmptyState>
    );
  }
  return (
    <Table
      label={`Shared: ${kind}`}
      head={
        kind === 'device' ? ['Device', 'Inboxes', 'Seen', 'Last'] : ['Inbox', 'Spellings', 'Devices', 'Last']
      }
      flows
    >
      {groups.map((group) => (
        <tr key={group.hash}>
          <Cell>
            <Link
              to="/projects/$projectId/sharing"
              params={{ projectId }}
              search={kind === 'device' ? { device: group.hash } : { inbox: group.hash }}
              className="link font-mono text-[0.8667rem]"
            >
              {group.hash.slice(0, 12)}…
            </Link>
            <div className="max-w-44 truncate text-[0.8333rem] text-faint">{group.addresses.join(', ')}</div>
          </Cell>
          {'spellings' in group ? (
            <>
              <Count name="spellings" value={group.spellings} />
              <Count name="devices" value={group.others} />
            </>
          ) : (
            <>
              <Count name="inboxes" value={group.others} />
              <Count name="times seen" value={group.times} />
            </>
          )}
          <Cell className="text-soft">
            <Ago at={group.lastAt} narrow />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

function Count({ name, value }: { name: string; value: number }) {
  return (
    <Cell className="num">
      <NarrowName>{name}</NarrowName>
      {count(value)}
    </Cell>
  );
}
