import type { LinkedKind } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { thingsQuery } from '../../api/place-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { count, dayOf } from '../../components/format.ts';
import { ListManyDialog } from '../../components/list-many-dialog.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { useJudge } from '../../components/use-judge.ts';
import { FilterBar } from '../validations/filter-bar.tsx';
import { type Filters, queryOf, rangeOf } from '../validations/filters.ts';
import { LinkedTable } from './linked-table.tsx';
import { isLinkedKind, KINDS } from './read-things.ts';

/** The people, devices, domains or networks of the sign-ups that match the log’s filters, those with the most people first. */
export function ThingsPage() {
  const project = useProject();
  const { kind: asked } = useParams({ from: '/app/projects/$projectId/things/$kind' });
  const kind = isLinkedKind(asked) ? asked : 'domain';
  const filters: Filters = useSearch({ from: '/app/projects/$projectId/things/$kind' });
  const navigate = useNavigate();
  const key = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filters, whose object is new each time.
  const query = useMemo(() => queryOf(filters, Date.now()), [key]);
  const things = useQuery(thingsQuery(project.id, kind, query));
  const [selected, setSelected] = useState<readonly string[]>([]);
  const shown = things.data?.kind === kind ? things.data : undefined;
  const names = new Set(selected.filter((name) => shown?.rows.some((row) => row.name === name)));
  return (
    <Page title={KINDS[kind].many}>
      <FilterBar
        liveOnly
        filters={filters}
        onChange={(search) =>
          void navigate({
            to: '/projects/$projectId/things/$kind',
            params: { projectId: project.id, kind },
            search,
          })
        }
      />
      <Loaded query={things} pending={<SkeletonRows rows={12} className="card p-5" />}>
        {(data) =>
          data.rows.length === 0 ? (
            <p className="card p-5 text-soft">No sign-ups with live keys match these filters.</p>
          ) : (
            <div className="card">
              <BulkBar
                projectId={project.id}
                kind={data.kind}
                names={names}
                summary={`${data.more ? `The first ${count(data.rows.length)}, newest or largest first.` : `${count(data.rows.length)} in all.`}${data.since === null ? '' : ` Counted since ${dayOf(data.since)}: the newest 100,000 sign-ups.`}`}
                onClear={() => setSelected([])}
              />
              <LinkedTable
                projectId={project.id}
                kind={data.kind}
                rows={data.rows}
                range={rangeOf(filters)}
                selection={{ names, onSelect: setSelected }}
              />
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

interface BulkBarProps {
  projectId: string;
  kind: LinkedKind;
  names: ReadonlySet<string>;
  /** What the list says of itself while nothing is selected. */
  summary: string;
  onClear: () => void;
}

const PARTS = {
  person: 'people',
  device: 'devices',
  domain: 'domains',
  network: 'networks',
  asn: 'networks',
  country: 'networks',
} as const;

/** What can be done with the selected ones. */
function BulkBar({ projectId, kind, names, summary, onClear }: BulkBarProps) {
  const [listing, setListing] = useState(false);
  const judge = useJudge(projectId);
  const may = usePermissions();
  const mark = (outcome: 'good' | 'bad') =>
    kind !== 'country' && judge.mutate({ of: { kind, names: [...names] }, outcome }, { onSuccess: onClear });
  const { many, entry } = KINDS[kind];
  const some = `${count(names.size)} ${(names.size === 1 ? KINDS[kind].one : many).toLowerCase()}`;
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-1.5 text-[0.8667rem] text-soft sm:px-5">
      <p className="num" aria-live="polite">
        {names.size === 0 ? summary : `${some} selected`}
      </p>
      {names.size > 0 && may.decide && (
        <div className="ml-auto flex flex-wrap gap-2">
          <Button small onClick={() => setListing(true)}>
            Block or allow…
          </Button>
          {kind !== 'country' && (
            <>
              <Button small disabled={judge.isPending} onClick={() => mark('good')}>
                {kind === 'person' ? 'All good' : 'Their people are good'}
              </Button>
              <Button small disabled={judge.isPending} onClick={() => mark('bad')}>
                {kind === 'person' ? 'All bad' : 'Their people are bad'}
              </Button>
            </>
          )}
          <Button small variant="quiet" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
      {listing && (
        <ListManyDialog
          projectId={projectId}
          title="Block or allow what is selected"
          parts={[
            {
              what: PARTS[kind],
              label: some,
              covers: `with one of these ${some}`,
              values: [...names].map((name) => entry + name),
            },
          ]}
          chosen={[PARTS[kind]]}
          note=""
          onClose={() => setListing(false)}
        />
      )}
    </div>
  );
}
