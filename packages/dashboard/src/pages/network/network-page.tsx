import type { NetworkView } from '@postern/contract/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { networkQuery } from '../../api/place-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { ShareChart } from '../../components/charts/share-chart.tsx';
import { MarkWrongButton } from '../../components/judgement.tsx';
import type { ListTarget } from '../../components/list-dialog.tsx';
import { ListDialog } from '../../components/list-dialog.tsx';
import { ListEntries } from '../../components/list-entries.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { RangeChoice } from '../../components/range-choice.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { RecentValidations } from '../validations/recent-validations.tsx';
import { NetworkFacts } from './network-facts.tsx';
import { NetworkRanges } from './network-ranges.tsx';

const ESTIMATES = {
  statistics: 'There were too many networks to count each one, so these counts are estimates.',
  log: 'Only the newest rows of the log were counted, so the first bars may be missing.',
} as const;

/** Everything about one network: an operator’s by its number, or one range of addresses. */
export function NetworkPage() {
  const project = useProject();
  const { asn, network, ...range } = useSearch({ from: '/app/projects/$projectId/network' });
  const of = asn === undefined ? { network: network ?? '' } : { asn };
  const navigate = useNavigate();
  const view = useQuery({ ...networkQuery(project.id, of, range), placeholderData: keepPreviousData });
  const params = { projectId: project.id };
  return (
    <Page
      title={asn === undefined ? (network ?? 'Network') : `AS${asn}`}
      lead={
        asn === undefined
          ? 'One range of addresses, as the log shows it.'
          : 'Everything from the addresses of one operator.'
      }
      actions={<NetworkActions projectId={project.id} network={network} asn={asn} view={view.data} />}
    >
      <RangeChoice
        range={range}
        onChange={(next) =>
          void navigate({
            to: '/projects/$projectId/network',
            params,
            search: { ...of, ...next },
            replace: true,
          })
        }
      />
      <Loaded query={view} pending={<SkeletonRows rows={10} className="card p-5" />}>
        {(data) => (
          <>
            <NetworkFacts projectId={project.id} view={data} range={range} />
            <ShareChart
              figures={data.figures}
              estimate={ESTIMATES[data.counted]}
              onPick={({ at, until }) =>
                void navigate({
                  to: '/projects/$projectId/validations',
                  params,
                  search: { ...filterOf(data), mode: 'live', from: at, to: until },
                })
              }
            />
            <NetworkRanges projectId={project.id} view={data} range={range} />
            <ListEntries projectId={project.id} listed={data.listed} named />
            <RecentValidations
              projectId={project.id}
              rows={data.validations}
              more={data.more}
              search={{ ...filterOf(data), mode: 'live', from: data.figures.from, to: data.figures.to }}
              range={range}
            />
            <Timeline projectId={project.id} subject={asn === undefined ? (network ?? '') : `AS${asn}`} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function filterOf({ network, asn }: NetworkView): { network: string } | { asn: string } {
  return network === null ? { asn: String(asn) } : { network };
}

interface NetworkActionsProps {
  projectId: string;
  /** A range. `undefined`: all networks of an operator. */
  network: string | undefined;
  asn: number | undefined;
  view: NetworkView | undefined;
}

function NetworkActions({ projectId, network, asn, view }: NetworkActionsProps) {
  const [list, setList] = useState<ListTarget['list'] | undefined>();
  const may = usePermissions();
  if (!may.decide) return null;
  const entry =
    network === undefined
      ? ({ what: 'operator', value: `AS${asn}` } as const)
      : ({ what: 'network', value: network } as const);
  return (
    <>
      {(network ?? asn) !== undefined && (
        <>
          <Button onClick={() => setList('allowList')}>Always allow…</Button>
          <Button onClick={() => setList('blockList')}>Block…</Button>
        </>
      )}
      <MarkWrongButton projectId={projectId} rows={view?.validations ?? []} />
      {list !== undefined && (
        <ListDialog projectId={projectId} target={{ list, ...entry }} onClose={() => setList(undefined)} />
      )}
    </>
  );
}
