import { LOG_COLUMNS } from '@postern/contract/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { apiUrl } from '../../api/client.ts';
import { validationsQuery } from '../../api/queries.ts';
import { type LiveState, useLiveLog } from '../../api/use-live-rows.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { PopupMenu } from '../../components/popup-menu.tsx';
import { Check, Columns3, Download, ListFilter, RotateCw } from '../../icons.ts';
import { BulkBar } from '../things/bulk-bar.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type Filters, isFiltered, queryOf, rangeOf } from './filters.ts';
import { COLUMNS, readColumns, type ShownColumn, storeColumns } from './log-columns.tsx';
import { LogSummary } from './log-summary.tsx';
import { ValidationDrawer } from './validation-drawer.tsx';
import { ValidationTable, type ValidationTableProps } from './validation-table.tsx';

const LIVE_TEXTS: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting for new validations…',
  live: 'Live: new validations appear automatically',
  skipping: 'Live, but more come in than can be shown here. Refresh to see the newest without gaps.',
};

/**
 * The server searches for a short time and then answers with what it has. Until there is a match, the page goes on by
 * itself, this many times.
 */
const MOST_SEARCHES = 40;

export function ValidationsPage() {
  const project = useProject();
  const filters: Filters = useSearch({ from: '/app/projects/$projectId/validations' });
  const navigate = useNavigate();
  const router = useRouter();
  const { open, ...rest } = filters;
  // “The last hour” ends when the first page was loaded. Later pages must use the same hour.
  const [askedAt, setAskedAt] = useState(() => Date.now());
  const key = JSON.stringify(rest);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filters, whose object is new each time.
  const query = useMemo(() => queryOf(rest, askedAt), [key, askedAt]);
  const logQuery = validationsQuery(project.id, query);
  const log = useInfiniteQuery(logQuery);
  // A span that has ended gets no new rows.
  const openEnded = log.isSuccess && rest.to === undefined;
  const live = useLiveLog(project.id, query, logQuery.queryKey, openEnded);
  const rows = log.data?.pages.flatMap((page) => page.rows);
  const searched = log.data?.pages.length ?? 0;
  const searching =
    rows?.length === 0 && log.hasNextPage && searched < MOST_SEARCHES && !log.isFetchNextPageError;
  const { fetchNextPage } = log;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer without a match asks for the next.
  useEffect(() => {
    if (searching) void fetchNextPage();
  }, [searching, searched, fetchNextPage]);

  /** Back leads to the filters before, not to the page before. */
  const go = (next: Filters, replace = false) =>
    void navigate({
      to: '/projects/$projectId/validations',
      params: { projectId: project.id },
      search: next,
      replace,
      resetScroll: false,
    });
  // If the drawer was opened with a click, closing it is the same as Back. A shared link has no page to go back to.
  const close = () => {
    if (router.history.location.state.openedHere === true) router.history.back();
    else go(rest, true);
  };
  const [columns, setColumns] = useState(readColumns);
  const may = usePermissions();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const chosen = rows?.filter(({ id }) => selected.includes(id)) ?? [];
  const csv = apiUrl('GET /projects/:id/validations.csv', {
    ...query,
    id: project.id,
    columns: [
      ...new Set(['time', ...LOG_COLUMNS.address, ...columns.flatMap((name) => LOG_COLUMNS[name])]),
    ].join(','),
  });

  return (
    <Page
      title="Sign-ups"
      lead="Every answer, newest first, with the reasons. Addresses are masked."
      actions={
        <>
          <ColumnsMenu columns={columns} onChange={(next) => setColumns(storeColumns(next))} />
          <Button
            busy={log.isRefetching && !log.isFetchingNextPage}
            onClick={() => {
              setAskedAt(Date.now());
              void log.refetch();
            }}
          >
            <RotateCw size={15} /> Refresh
          </Button>
          <a href={csv} download={`${project.id}-validations.csv`} className={buttonClass()}>
            <Download size={15} /> Export CSV
          </a>
        </>
      }
    >
      <FilterBar filters={rest} onChange={go} />
      <LogSummary
        projectId={project.id}
        query={query}
        aside={
          <p role="status" className="flex items-center gap-2 text-[0.8333rem] text-faint">
            <span
              aria-hidden="true"
              className={`size-2 rounded-full ${live === 'connecting' ? 'bg-line-strong' : 'bg-allow-fill'}`}
            />
            {rest.to === undefined ? LIVE_TEXTS[live] : 'Not live: the time filter has an end'}
          </p>
        }
        onPick={(from, to) => {
          const { last: _last, ...others } = rest;
          go({ ...others, from, to });
        }}
      />
      <div className="card min-w-0">
        <Loaded query={{ ...log, data: rows }} pending={<SkeletonRows rows={12} className="p-5" />}>
          {(all) =>
            all.length === 0 && !log.hasNextPage ? (
              <NoRows projectId={project.id} filtered={isFiltered(rest)} onClear={() => go({})} />
            ) : (
              <Rows
                rows={all}
                columns={columns}
                log={log}
                filters={rest}
                projectId={project.id}
                {...(may.decide && { selection: { ids: new Set(selected), onSelect: setSelected } })}
              />
            )
          }
        </Loaded>
        {chosen.length > 0 && (
          <BulkBar
            className="sticky bottom-0 z-2 min-h-12 rounded-b-xl border-t bg-surface"
            projectId={project.id}
            kind="person"
            names={new Set(chosen.map(({ inbox }) => inbox))}
            validations={chosen.map(({ id }) => id)}
            onClear={() => setSelected([])}
          />
        )}
      </div>
      {open !== undefined && (
        <ValidationDrawer projectId={project.id} id={open} range={rangeOf(rest)} onClose={close} />
      )}
    </Page>
  );
}

interface RowsProps extends ValidationTableProps {
  log: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

function Rows({ log, ...table }: RowsProps) {
  const { rows } = table;
  return (
    <>
      {rows.length === 0 ? (
        <p className="p-5 text-center text-soft">
          No match among the newest rows. {log.isFetchingNextPage && 'Searching older ones…'}
        </p>
      ) : (
        <ValidationTable {...table} />
      )}
      <div className="flex justify-center border-t border-line p-3 text-[0.8667rem] text-faint">
        {log.hasNextPage ? (
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {rows.length === 0 ? 'Search further back' : 'Show older'}
          </Button>
        ) : (
          'No older rows. The log retention in the project’s settings sets how long they are kept.'
        )}
      </div>
    </>
  );
}

function NoRows({
  projectId,
  filtered,
  onClear,
}: {
  projectId: string;
  filtered: boolean;
  onClear: () => void;
}) {
  if (filtered) {
    return (
      <EmptyState
        icon={ListFilter}
        title="No validations match these filters"
        action={<Button onClick={onClear}>Clear the filters</Button>}
      >
        Try a longer period or fewer filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ListFilter}
      title="No validations yet"
      action={
        <Link to="/projects/$projectId/keys" params={{ projectId }} className={buttonClass('primary')}>
          Create a key
        </Link>
      }
    >
      Requests with this project’s keys appear here within two seconds, with the result of every check.
    </EmptyState>
  );
}

interface ColumnsMenuProps {
  columns: readonly ShownColumn[];
  onChange: (columns: readonly ShownColumn[]) => void;
}

const NAMES = Object.keys(COLUMNS) as ShownColumn[];

/** Chooses what the log shows. This browser remembers it. */
function ColumnsMenu({ columns, onChange }: ColumnsMenuProps) {
  return (
    <PopupMenu
      label="Columns"
      className={buttonClass()}
      button={
        <>
          <Columns3 size={14} aria-hidden="true" /> Columns
        </>
      }
      entries={NAMES.map((name) => ({
        key: name,
        label: COLUMNS[name].title,
        icon: columns.includes(name) ? (
          <Check size={14} aria-label="shown" className="text-allow" />
        ) : (
          <span className="size-3.5" />
        ),
        staysOpen: true,
        onPick: () =>
          onChange(columns.includes(name) ? columns.filter((shown) => shown !== name) : [...columns, name]),
      }))}
    />
  );
}
