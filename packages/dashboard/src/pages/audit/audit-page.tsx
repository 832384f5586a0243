import { DAY_MS } from '@postern/contract';
import { AUDIT_ACTIONS, type AuditEntry } from '@postern/contract/dashboard';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiUrl, type Params } from '../../api/client.ts';
import { auditQuery, membersQuery } from '../../api/queries.ts';
import { useProject } from '../../api/use-project.ts';
import { buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, ShowMore, SkeletonRows } from '../../components/pending.tsx';
import { Pick } from '../../components/pick.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { Moment } from '../../components/time.tsx';
import { RANGE_NAMES, RANGES } from '../../components/time-range.ts';
import { Download, ScrollText } from '../../icons.ts';
import { ACTIONS, actionText, actorText, detailLines } from './audit-text.ts';

export function ProjectAuditPage() {
  const project = useProject();
  return <Audit projectId={project.id} lead={`Who changed what in ${project.name}, and when.`} />;
}

export function WorkspaceAuditPage() {
  return <Audit lead="Every change in the workspace: from the dashboard, its API and the command line." />;
}

interface AuditFilters {
  actor?: string;
  action?: string;
  from?: number | undefined;
}

function Audit({ projectId, lead }: { projectId?: string; lead: string }) {
  const [filters, setFilters] = useState<AuditFilters>({});
  const params = { project: projectId, ...filters };
  return (
    <Page
      title="Audit log"
      lead={lead}
      actions={
        <a href={apiUrl('GET /audit.csv', params)} download="audit.csv" className={buttonClass()}>
          <Download size={15} /> Export CSV
        </a>
      }
    >
      <Filters filters={filters} onChange={setFilters} />
      <AuditTable params={params} withProject={projectId === undefined} />
    </Page>
  );
}

function Filters({
  filters,
  onChange,
}: {
  filters: AuditFilters;
  onChange: (filters: AuditFilters) => void;
}) {
  const { data: members = [] } = useQuery(membersQuery);
  const actors: readonly (readonly [string, string])[] = [
    ...members.map(({ id, name }) => [id, name] as const),
    ['cli', 'Command line'],
    ['service', 'The service'],
  ];
  return (
    <search aria-label="Filters" className="flex flex-wrap gap-2">
      <Pick
        label="Who"
        any="Anyone"
        className="sm:!w-auto"
        value={filters.actor}
        onChange={(actor) => onChange({ ...filters, actor })}
      >
        {actors}
      </Pick>
      <Pick
        label="What"
        any="Any change"
        className="sm:!w-auto"
        value={filters.action}
        onChange={(action) => onChange({ ...filters, action })}
      >
        {AUDIT_ACTIONS.map((action) => [action, ACTIONS[action]] as const)}
      </Pick>
      <When onChange={(from) => onChange({ ...filters, from })} />
    </search>
  );
}

function When({ onChange }: { onChange: (from: number | undefined) => void }) {
  return (
    <select
      aria-label="When"
      className="control sm:!w-auto"
      onChange={({ target: { value } }) =>
        onChange(value === '' ? undefined : Date.now() - Number(value) * DAY_MS)
      }
    >
      <option value="">Any time</option>
      {RANGES.map((days) => (
        <option key={days} value={days}>
          Last {RANGE_NAMES[days]}
        </option>
      ))}
    </select>
  );
}

interface AuditTableProps {
  params: Params;
  withProject: boolean;
}

function AuditTable({ params, withProject }: AuditTableProps) {
  const audit = useInfiniteQuery(auditQuery(params));
  const rows = audit.data?.pages.flatMap((page) => page.rows);
  return (
    <div className="card min-w-0 overflow-hidden">
      <Loaded query={{ ...audit, data: rows }} pending={<SkeletonRows rows={10} className="p-5" />}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={ScrollText} title="No changes found">
              Every change of a key, a setting or a member is recorded here permanently.
            </EmptyState>
          ) : (
            <>
              <Table
                label="Audit log"
                flows
                head={['When', 'Who', 'What', ...(withProject ? ['Project'] : []), 'Details']}
              >
                {all.map((row, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ID, and only grow at the end.
                  <AuditRow key={index} row={row} withProject={withProject} />
                ))}
              </Table>
              <ShowMore query={audit} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function AuditRow({ row, withProject }: { row: AuditEntry; withProject: boolean }) {
  return (
    <tr>
      <Cell className="text-soft">
        <Moment at={row.at} />
      </Cell>
      <Cell className="font-medium wrap-anywhere md:min-w-28">{actorText(row)}</Cell>
      <Cell className="whitespace-nowrap">{actionText(row)}</Cell>
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
      <Cell className="min-w-60 max-md:basis-full text-[0.8667rem] text-soft wrap-anywhere">
        <Details lines={detailLines(row)} />
        <AboutLink row={row} />
      </Cell>
    </tr>
  );
}

/** Where what the entry is about can be seen, by the detail that names it. */
const PLACES = [
  ['validationId', 'validations', 'Show the validation'],
  ['keyId', 'keys', 'Show the keys'],
  ['webhookId', 'webhooks', 'Show the webhooks'],
  ['campaign', 'campaigns', 'Show the campaigns'],
] as const;

function AboutLink({ row: { projectId, detail } }: { row: AuditEntry }) {
  const [name, page, text] = PLACES.find(([each]) => typeof detail[each] === 'string') ?? [];
  if (projectId === null || name === undefined) return null;
  return (
    <>
      {' '}
      <Link
        to={`/projects/$projectId/${page}`}
        params={{ projectId }}
        {...(name === 'validationId' && { search: { open: String(detail[name]) } })}
        className="link"
      >
        {text}
      </Link>
    </>
  );
}

const SHORT = 3;

function Details({ lines }: { lines: readonly string[] }) {
  if (lines.length <= SHORT) return lines.join(' · ');
  return (
    <details>
      <summary className="rounded">
        {lines.slice(0, SHORT - 1).join(' · ')} · and {lines.length - SHORT + 1} more
      </summary>
      <ul className="mt-1 grid gap-0.5">
        {lines.slice(SHORT - 1).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
