import type { PolicyHistoryView, PolicyVersionView } from '@postern/contract/dashboard';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { actorName } from '../../components/actor-name.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, ShowMore, SkeletonRows } from '../../components/pending.tsx';
import { Moment } from '../../components/time.tsx';
import { History, Undo2 } from '../../icons.ts';
import { CompareVersions } from './compare-versions.tsx';
import { GoBack } from './go-back.tsx';

const historyQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['policy-history', id],
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last: PolicyHistoryView) => last.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api('GET /projects/:id/policy-history', { id, before: pageParam }, { signal }),
  });

/** Every version of the policy and its rules: who, when, why, what, and the way back. */
export function PolicyHistoryPage() {
  const { id } = useProject();
  const history = useInfiniteQuery(historyQuery(id));
  const rows = history.data?.pages.flatMap((page) => page.rows);
  return (
    <Page
      title="History"
      lead="Every version of the policy and its rules: who saved it, when and why. Going back saves the old version as a new one."
    >
      <div className="card min-w-0 overflow-hidden">
        <Loaded query={{ ...history, data: rows }} pending={<SkeletonRows rows={8} className="p-5" />}>
          {(all) => <Versions projectId={id} rows={all} />}
        </Loaded>
        <ShowMore query={history} />
      </div>
    </Page>
  );
}

function Versions({ projectId, rows }: { projectId: string; rows: readonly PolicyVersionView[] }) {
  const may = usePermissions();
  const [compared, setCompared] = useState<number>();
  const [back, setBack] = useState<number>();
  if (rows.length === 0)
    return (
      <EmptyState icon={History} title="No versions yet">
        The next change of the policy or its rules is the first version here.
      </EmptyState>
    );
  const newest = rows[0]?.version;
  return (
    <>
      <ol aria-label="Versions" className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.version} className="grid gap-2 px-4 py-3.5 sm:px-5">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <h2 className="num font-semibold">Version {row.version}</h2>
              {row.version === newest && <Badge tone="allow">in use</Badge>}
              <span className="text-soft">
                {actorName(row.by, row.byName)} · <Moment at={row.at} />
              </span>
              <span className="ml-auto flex flex-wrap gap-2">
                {rows.length > 1 && (
                  <Button
                    small
                    aria-label={`Compare version ${row.version}`}
                    onClick={() => setCompared(row.version)}
                  >
                    Compare
                  </Button>
                )}
                {may.change && row.version !== newest && (
                  <Button
                    small
                    aria-label={`Go back to version ${row.version}`}
                    onClick={() => setBack(row.version)}
                  >
                    <Undo2 size={14} aria-hidden="true" /> Go back…
                  </Button>
                )}
              </span>
            </div>
            {row.reason !== null && <p className="wrap-anywhere">{row.reason}</p>}
            <Changes changes={row.changes} first={row.version === 1} />
          </li>
        ))}
      </ol>
      {back !== undefined && newest !== undefined && (
        <GoBack version={back} newest={newest} onClose={() => setBack(undefined)} />
      )}
      {compared !== undefined && (
        <CompareVersions
          projectId={projectId}
          version={compared}
          others={rows.map(({ version }) => version).filter((version) => version !== compared)}
          onClose={() => setCompared(undefined)}
        />
      )}
    </>
  );
}

function Changes({ changes, first }: { changes: readonly string[]; first: boolean }) {
  if (changes.length === 0)
    return (
      <p className="text-[0.9rem] text-faint">
        {first ? 'The first version.' : 'Older versions are no longer kept, so there is nothing to compare.'}
      </p>
    );
  return (
    <ul className="grid gap-1 text-[0.9rem] text-soft wrap-anywhere">
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  );
}
