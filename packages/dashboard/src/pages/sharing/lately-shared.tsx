import type { ValidationRow } from '@postern/contract/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fingerprint } from 'lucide-react';
import { validationsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { plural } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';
import { groupBy } from './group-by.ts';

interface LatelySharedProps {
  projectId: string;
  threshold: number;
}

/** Where to begin: the devices and inboxes that the newest validations found shared. */
export function LatelyShared({ projectId, threshold }: LatelySharedProps) {
  const devices = useInfiniteQuery(validationsQuery(projectId, { signal: 'device_reuse' }, 100));
  const inboxes = useInfiniteQuery(validationsQuery(projectId, { signal: 'alias_reuse' }, 100));
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Section title="Devices that brought several inboxes" flush>
        <Groups
          projectId={projectId}
          kind="device"
          log={devices}
          empty={`A device shows up here once it has brought a second inbox; the device check fails from ${plural(threshold, 'other inbox', 'other inboxes')} on. Send fingerprintHash with your requests: the SDKs do it by themselves.`}
        />
      </Section>
      <Section title="Inboxes under several spellings" flush>
        <Groups
          projectId={projectId}
          kind="inbox"
          log={inboxes}
          empty="An inbox shows up here once it comes back as another address, such as jane+2@ after jane@."
        />
      </Section>
    </div>
  );
}

interface GroupsProps {
  projectId: string;
  kind: 'device' | 'inbox';
  log: {
    data: { pages: { rows: ValidationRow[] }[] } | undefined;
    error: unknown;
    refetch: () => unknown;
  };
  empty: string;
}

function Groups({ projectId, kind, log, empty }: GroupsProps) {
  const rows = log.data?.pages.flatMap((page) => page.rows);
  return (
    <Loaded query={{ ...log, data: rows }} pending={<SkeletonRows rows={5} className="px-5 pb-5" />}>
      {(all) => {
        const groups = groupBy(all, kind);
        if (groups.length === 0) {
          return (
            <EmptyState icon={Fingerprint} title="Nothing is shared">
              {empty}
            </EmptyState>
          );
        }
        return (
          <Table label={`Shared: ${kind}`} head={[kind === 'device' ? 'Device' : 'Inbox', 'Seen', 'Last']}>
            {groups.slice(0, 20).map((group) => (
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
                  <div className="max-w-56 truncate text-[0.8333rem] text-faint">
                    {group.addresses.join(', ')}
                  </div>
                </Cell>
                <Cell className="num whitespace-nowrap">{plural(group.times, 'time')}</Cell>
                <Cell className="text-soft">
                  <Ago at={group.lastAt} />
                </Cell>
              </tr>
            ))}
          </Table>
        );
      }}
    </Loaded>
  );
}
