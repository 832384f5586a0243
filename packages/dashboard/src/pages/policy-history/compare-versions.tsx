import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Modal } from '../../components/modal.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';

interface CompareVersionsProps {
  projectId: string;
  version: number;
  /** Newest first. */
  others: readonly number[];
  onClose: () => void;
}

/** One version, and what it has differently from another. */
export const differencesQuery = (projectId: string, version: number, against: number) =>
  queryOptions({
    queryKey: ['policy-version', projectId, version, against],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      api(
        'GET /projects/:id/policy-history/:version',
        { id: projectId, version: String(version), against },
        { signal },
      ),
  });

/** What differs between two versions, in words. */
export function CompareVersions({ projectId, version, others, onClose }: CompareVersionsProps) {
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
