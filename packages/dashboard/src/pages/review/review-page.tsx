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
import { Pick } from '../../components/pick.tsx';
import { useUndoJudgements } from '../../components/use-judge.ts';
import { Keyboard, ListChecks, ListFilter } from '../../icons.ts';
import { FilterBar } from '../validations/filter-bar.tsx';
import { AfterDecision, type Decided } from './after-decision.tsx';
import { KeyHelp } from './key-help.tsx';
import { AGES, type ReviewFilters, readReviewFilters, reviewQueryOf } from './review-filters.ts';
import { ReviewList, useKeys } from './review-list.tsx';
import { useDecideMany } from './selection-bar.tsx';

const ORDERS = { oldest: 'Oldest first', riskiest: 'Riskiest first' };

export function ReviewPage() {
  const project = useProject();
  const may = usePermissions();
  const { open, ...filters }: ReviewFilters = useSearch({ from: '/app/projects/$projectId/review' });
  const navigate = useNavigate();
  const [order, setOrder] = useState<ReviewOrder>('oldest');
  const [help, setHelp] = useState(false);
  /** What was decided on this page, the last one last. Each can be undone. */
  const [decisions, setDecisions] = useState<readonly Decided[]>([]);
  const decided = decisions.at(-1);
  const [answered, setAnswered] = useState<Decided>();
  const takeBack = useUndoJudgements(project.id);
  const passes = useDecideMany(project.id, () => {});
  const undo = () => {
    if (decided === undefined) return;
    setDecisions(decisions.slice(0, -1));
    if (decided.decision === 'passed') passes.mutate({ validations: [decided.row.id], decision: 'waiting' });
    else void takeBack(decided.undo);
  };
  const key = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filters, whose object is new each time.
  const query = useMemo(() => reviewQueryOf(filters, Date.now()), [key]);
  const queue = useQuery(reviewQuery(project.id, order, query));
  // Else the list has them.
  useKeys(queue.data?.rows.length === 0 ? { u: undo, '?': () => setHelp(true) } : {});
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
            <Keyboard size={16} /> Shortcuts
          </Button>
        </>
      }
    >
      {!may.decide && (
        <Notice kind="note">You can read the queue. Analysts, admins and owners can decide.</Notice>
      )}
      <QueueFilters filters={filters} onChange={go} />
      {decided !== undefined && decided !== answered && (
        <AfterDecision
          key={decided.row.id}
          projectId={project.id}
          decided={decided}
          onUndo={undo}
          onClose={() => setAnswered(decided)}
        />
      )}
      {/* Not hidden, in which the evidence could not stick. */}
      <div className="card min-w-0 overflow-clip">
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
                waiting={view.open}
                openFirst={open}
                onOpen={(id) => go({ ...filters, ...(id !== undefined && { open: id }) })}
                summary={summaryOf(view)}
                mayDecide={may.decide}
                onHelp={() => setHelp(true)}
                // Answers can arrive in another order than the decisions were made in.
                onDecided={(one) => setDecisions((all) => [...all, one].sort((a, b) => a.at - b.at))}
                onUndo={undo}
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
  const { age, passed, ...ofLog } = filters;
  const own = { ...(age !== undefined && { age }), ...(passed !== undefined && { passed }) };
  return (
    <FilterBar
      inReview
      filters={ofLog}
      // “Clear all filters” clears the age too.
      onChange={(next) => onChange(Object.keys(next).length === 0 ? {} : { ...next, ...own })}
    >
      <Pick
        label="Age"
        value={age}
        any="Any age"
        onChange={(value) => onChange(readReviewFilters({ ...filters, age: value }))}
      >
        {Object.entries(AGES).map(([id, { name }]) => [id, name] as const)}
      </Pick>
      <Pick
        label="Passed"
        value={passed}
        any="Waiting for you"
        onChange={(value) => onChange(readReviewFilters({ ...filters, passed: value }))}
      >
        {[['1', 'What you passed on']]}
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
      <strong>bad</strong> with one key. To review more or fewer sign-ups, change which checks flag under
      Rules, Checks.
    </EmptyState>
  );
}
