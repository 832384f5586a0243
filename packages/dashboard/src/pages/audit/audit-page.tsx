import type { AuditView } from '@postern/contract/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { auditQuery } from '../../api/queries.ts';
import { useProject } from '../../api/use-project.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { Moment } from '../../components/time.tsx';
import { actionText, detailLines } from './audit-text.ts';

export function ProjectAuditPage() {
  const project = useProject();
  return (
    <Page title="Audit log" lead={`Who changed what in ${project.name}, and when.`}>
      <AuditTable projectId={project.id} />
    </Page>
  );
}

export function WorkspaceAuditPage() {
  return (
    <Page
      title="Audit log"
      lead="Every change in the workspace: who, what, when. From the dashboard, its API and the command line."
    >
      <AuditTable />
    </Page>
  );
}

function AuditTable({ projectId }: { projectId?: string }) {
  const audit = useInfiniteQuery(auditQuery(projectId));
  const rows = audit.data?.pages.flatMap((page) => page.rows);
  return (
    <div className="card min-w-0 overflow-hidden">
      <Loaded query={{ ...audit, data: rows }} pending={<SkeletonRows rows={10} className="p-5" />}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={ScrollText} title="No change yet">
              From the first key to the last setting, every change is written down here and stays.
            </EmptyState>
          ) : (
            <>
              <Table
                label="Audit log"
                flows
                head={['When', 'Who', 'What', ...(projectId === undefined ? ['Project'] : []), 'Details']}
              >
                {all.map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ID, and only grow at the end.
                  <AuditRow key={index} row={row} withProject={projectId === undefined} />
                ))}
              </Table>
              {audit.hasNextPage && (
                <div className="flex justify-center border-t border-line p-3">
                  <Button busy={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
                    Show older
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function AuditRow({ row, withProject }: { row: AuditView['rows'][number]; withProject: boolean }) {
  return (
    <tr>
      <Cell className="text-soft">
        <Moment at={row.at} />
      </Cell>
      <Cell className="font-medium wrap-anywhere md:min-w-28">{row.actorName ?? row.actor}</Cell>
      <Cell className="whitespace-nowrap">{actionText(row.action)}</Cell>
      {withProject && (
        <Cell>
          {row.projectId === null ? (
            <span className="text-faint">workspace</span>
          ) : (
            <Link
              to="/projects/$projectId"
              params={{ projectId: row.projectId }}
              className="font-mono text-[0.8333rem] hover:text-accent hover:underline"
            >
              {row.projectId}
            </Link>
          )}
        </Cell>
      )}
      <Cell className="min-w-60 font-mono max-md:basis-full text-[0.8rem] text-soft wrap-anywhere">
        <Details lines={detailLines(row.detail)} />
      </Cell>
    </tr>
  );
}

const SHORT = 4;

function Details({ lines }: { lines: readonly string[] }) {
  if (lines.length <= SHORT) return lines.join(' · ');
  return (
    <details>
      <summary className="rounded">
        {lines.slice(0, SHORT - 1).join(' · ')} · and {lines.length - SHORT + 1} more
      </summary>
      <ul className="mt-1">
        {lines.slice(SHORT - 1).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
