import type { PolicyVersionView } from '@postern/contract/dashboard';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { pagesOf, queryOf } from '../../api/query-of.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { actorName } from '../../components/actor-name.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Modal } from '../../components/modal.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, ShowMore, Skeleton, SkeletonRows } from '../../components/pending.tsx';
import { policyPatch } from '../../components/policy-change.ts';
import { Moment } from '../../components/time.tsx';
import { TimeMachine } from '../../components/time-machine/time-machine.tsx';
import { History, Undo2 } from '../../icons.ts';

const historyQuery = (id: string) => pagesOf('GET /projects/:id/policy-history', 'before', { id });

/** Every version of the policy and its rules: who, when, why, what, and the way back. */
export function PolicyHistoryPage() {
  return (
    <Page
      title="History"
      lead="Every version of the policy and its rules: who saved it, when and why. Going back saves the old version as a new one."
    >
      <div className="card min-w-0 overflow-hidden">
        <Versions />
      </div>
    </Page>
  );
}

/** All versions, or only the newest, which can be compared on the page of all. */
export function Versions({ most }: { most?: number }) {
  const { id } = useProject();
  const history = useInfiniteQuery(historyQuery(id));
  const rows = history.data?.pages.flatMap((page) => page.rows);
  return (
    <>
      <Loaded query={{ ...history, data: rows }} pending={<SkeletonRows rows={8} className="p-5" />}>
        {(all) => <VersionList projectId={id} rows={all.slice(0, most)} brief={most !== undefined} />}
      </Loaded>
      {most === undefined && <ShowMore query={history} />}
    </>
  );
}

interface VersionListProps {
  projectId: string;
  rows: readonly PolicyVersionView[];
  brief: boolean;
}

function VersionList({ projectId, rows, brief }: VersionListProps) {
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
          <li
            key={row.version}
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 px-4 py-3.5 sm:px-5"
          >
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h2 className="num font-semibold">Version {row.version}</h2>
              {row.version === newest && <Badge tone="allow">in use</Badge>}
              <span className="text-soft">
                {actorName(row.by, row.byName)} · <Moment at={row.at} />
              </span>
            </div>
            <span className={`flex flex-wrap gap-2 ${brief ? 'order-last' : ''}`}>
              {rows.length > 1 && !brief && (
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
                  <Undo2 size={14} /> Go back…
                </Button>
              )}
            </span>
            {row.reason !== null && <p className="w-full wrap-anywhere">{row.reason}</p>}
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
      <p className="w-full text-[0.9rem] text-faint">
        {first ? 'The first version.' : 'Older versions are no longer kept, so there is nothing to compare.'}
      </p>
    );
  return (
    <ul className="grid w-full gap-1 text-[0.9rem] text-soft wrap-anywhere">
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  );
}

interface CompareVersionsProps {
  projectId: string;
  version: number;
  /** Newest first. */
  others: readonly number[];
  onClose: () => void;
}

/** One version, and what it has differently from another. */
const differencesQuery = (id: string, version: number, against: number) => ({
  ...queryOf('GET /projects/:id/policy-history/:version', { id, version: String(version), against }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What differs between two versions, in words. */
function CompareVersions({ projectId, version, others, onClose }: CompareVersionsProps) {
  const [against, setAgainst] = useState(others.find((other) => other < version) ?? others[0] ?? version);
  const found = useQuery(differencesQuery(projectId, version, against));
  return (
    <Modal title={`Version ${version} compared`} onClose={onClose}>
      <div className="grid gap-4">
        <label className="flex flex-wrap items-center gap-2">
          Compared with
          <select
            className="control !w-auto"
            value={against}
            onChange={(event) => setAgainst(Number(event.target.value))}
          >
            {others.map((other) => (
              <option key={other} value={other}>
                Version {other}
              </option>
            ))}
          </select>
        </label>
        <Loaded query={found} pending={<Skeleton className="h-24" />}>
          {({ changes }) =>
            changes.length === 0 ? (
              <p className="text-soft">Both have the same policy and rules.</p>
            ) : (
              <ul aria-label="Differences" className="grid gap-1.5 wrap-anywhere">
                {changes.map((change) => (
                  <li key={change}>{change}</li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </Modal>
  );
}

interface GoBackProps {
  version: number;
  newest: number;
  onClose: () => void;
}

/** Shows what going back changes and what that would have done to past sign-ups, before it is done. */
function GoBack({ version, newest, onClose }: GoBackProps) {
  const project = useProject();
  const { data } = useQuery(differencesQuery(project.id, version, newest));
  const restore = (to: number, inUse: number, reason?: string) =>
    api(
      'POST /projects/:id/policy-history/:version/restore',
      { id: project.id, version: String(to) },
      { body: { inUse, ...(reason && { reason }) } },
    );
  const back = useChange({
    send: (reason: string) => restore(version, newest, reason),
    inline: true,
    undo: (saved) => ({
      text: 'The earlier policy is saved again and applies to new requests.',
      back: () =>
        restore(newest, saved.version).then(() => 'The policy and the rules are as they were before.'),
    }),
    onDone: onClose,
  });
  if (data === undefined) return null;
  const patch = policyPatch(project.policy, data.policy);
  return (
    <TimeMachine
      projectId={project.id}
      edited={{ rules: data.rules, ...(patch && { policy: patch }) }}
      lead={`Going back to version ${version} changes: ${data.changes.join(' ') || 'nothing.'}`}
      backText="Keep what is in use"
      onClose={onClose}
      save={{
        text: `Go back to version ${version}`,
        busy: back.isPending,
        error: back.error,
        onSave: back.mutate,
      }}
    />
  );
}
