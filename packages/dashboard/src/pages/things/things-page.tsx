import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { thingsQuery } from '../../api/place-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { count, dayOf } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { Loaded, ShowMore, SkeletonRows } from '../../components/pending.tsx';
import { FilterBar } from '../validations/filter-bar.tsx';
import { type Filters, queryOf, rangeOf } from '../validations/filters.ts';
import { BulkBar } from './bulk-bar.tsx';
import { LinkedTable } from './linked-table.tsx';
import { isLinkedKind, KINDS } from './read-things.ts';

/** As many as can be listed or judged together. */
const MOST = 1_000;

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
  const [limit, setLimit] = useState(50);
  const things = useQuery(thingsQuery(project.id, kind, { ...query, limit }));
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
                className="min-h-12 border-b"
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
              <ShowMore
                query={{
                  hasNextPage: data.more && limit < MOST,
                  isFetchingNextPage: things.isPlaceholderData,
                  fetchNextPage: () => setLimit(MOST),
                }}
              >
                Show more
              </ShowMore>
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}
