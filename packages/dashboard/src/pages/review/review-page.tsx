import { REVIEW_MAX_COUNTED, type ReviewView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type ReviewOrder, reviewQuery } from '../../api/outcome-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { count } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Keyboard, ListChecks, ListFilter } from '../../icons.ts';
import { FilterBar, Pick } from '../validations/filter-bar.tsx';
import { AfterDecision, type Decided } from './after-decision.tsx';
import { KeyHelp } from './key-help.tsx';
import { AGES, type ReviewFilters, reviewQueryOf } from './review-filters.ts';
import { ReviewList } from './review-list.tsx';

const ORDERS = { oldest: 'Oldest first', riskiest: 'Riskiest first' };

export function ReviewPage() {
  const project = useProject();
  const may = usePermissions();
  const filters: ReviewFilters = useSearch({ from: '/app/projects/$projectId/review' });
  const navigate = useNavigate();
  const [order, setOrder] = useState<ReviewOrder>('oldest');
  const [help, setHelp] = useState(false);
  const [decided, setDecided] = useState<Decided | undefined>();
  const key = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filters, whose object is new each time.
  const query = useMemo(() => reviewQueryOf(filters, Date.now()), [key]);
  const queue = useQuery(reviewQuery(project.id, order, query));
  const go = (next: ReviewFilters) =>
    void navigate({
      to: '/projects/$projectId/review',
      params: { projectId: project.id },
      search: next,
      replace: true,
      resetScroll: false,
    });
  return (
    <Page
      title="Review"
      lead="Flagged sign-ups that wait for your decision. Each decision improves the figures under Results."
      actions={
        <>
          <Choice label="Order" hideLabel value={order} options={ORDERS} onChange={setOrder} />
          <Button onClick={() => setHelp(true)} aria-keyshortcuts="?">
            <Keyboard size={16} aria-hidden="true" /> Shortcuts
          </Button>
        </>
      }
    >
      {!may.decide && (
        <Notice kind="note">You can read the queue. Analysts, admins and owners can decide.</Notice>
      )}
      <QueueFilters filters={filters} onChange={go} />
      {decided !== undefined && (
        <AfterDecision
          key={decided.row.id}
          projectId={project.id}
          decided={decided}
          onClose={() => setDecided(undefined)}
        />
      )}
      <div className="card min-w-0 overflow-hidden">
        <Loaded query={queue} pending={<SkeletonRows rows={8} className="p-5" />}>
          {(view) =>
            view.rows.length === 0 ? (
              <Nothing filtered={key !== '{}'} onClear={() => go({})} />
            ) : (
              <ReviewList
                key={order + key}
                projectId={project.id}
                query={query}
                rows={view.rows}
                open={view.open}
                summary={summaryOf(view)}
                mayDecide={may.decide}
                onHelp={() => setHelp(true)}
                decided={decided}
                onDecided={setDecided}
              />
            )
          }
        </Loaded>
      </div>
      {help && <KeyHelp onClose={() => setHelp(false)} />}
    </Page>
  );
}

function summaryOf({ open, rows, sorted }: ReviewView): string {
  const waiting = `${open < REVIEW_MAX_COUNTED ? count(open) : `${count(REVIEW_MAX_COUNTED)} or more`} to review`;
  if (sorted !== null)
    return `${waiting}; the ${count(rows.length)} riskiest of the oldest ${count(sorted)}. Newer ones are not sorted yet`;
  return open > rows.length ? `${waiting}; showing the first ${count(rows.length)}` : waiting;
}

function QueueFilters({
  filters,
  onChange,
}: {
  filters: ReviewFilters;
  onChange: (filters: ReviewFilters) => void;
}) {
  const { age, ...ofLog } = filters;
  return (
    <FilterBar
      inReview
      filters={ofLog}
      // “Clear all filters” clears the age too.
      onChange={(next) =>
        onChange(Object.keys(next).length === 0 ? {} : { ...next, ...(age !== undefined && { age }) })
      }
    >
      <Pick
        label="Age"
        value={age}
        any="Any age"
        onChange={(value) => onChange(value === '' ? ofLog : { ...ofLog, age: value })}
      >
        {Object.entries(AGES).map(([id, { name }]) => [id, name] as const)}
      </Pick>
    </FilterBar>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered)
    return (
      <EmptyState
        icon={ListFilter}
        title="Nothing to review matches these filters"
        action={<Button onClick={onClear}>Clear the filters</Button>}
      >
        Other sign-ups may be waiting.
      </EmptyState>
    );
  return (
    <EmptyState icon={ListChecks} title="Nothing to review">
      Every sign-up that the policy flags appears here. Mark it as <strong>good</strong> or{' '}
      <strong>bad</strong> with one key. To review more or fewer sign-ups, change which checks flag on the
      Policy page.
    </EmptyState>
  );
}
