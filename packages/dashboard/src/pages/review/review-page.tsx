import { REVIEW_MAX_COUNTED } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Keyboard, ListChecks } from 'lucide-react';
import { useState } from 'react';
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
import { AfterDecision, type Decided } from './after-decision.tsx';
import { KeyHelp } from './key-help.tsx';
import { ReviewList } from './review-list.tsx';

const ORDERS = [
  { value: 'oldest', label: 'Oldest first' },
  { value: 'riskiest', label: 'Riskiest first' },
] as const;

export function ReviewPage() {
  const project = useProject();
  const may = usePermissions();
  const [order, setOrder] = useState<ReviewOrder>('oldest');
  const [help, setHelp] = useState(false);
  const [decided, setDecided] = useState<Decided | undefined>();
  const queue = useQuery(reviewQuery(project.id, order));
  return (
    <Page
      title="Review"
      lead="Flagged sign-ups that wait for your decision. Each decision improves the statistics on “What works”."
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
          {({ rows, open }) =>
            rows.length === 0 ? (
              <EmptyState icon={ListChecks} title="Nothing to review">
                Every sign-up that the policy flags appears here. Mark it as <strong>good</strong> or{' '}
                <strong>bad</strong> with one key. To review more or fewer sign-ups, change which checks flag
                on the Policy page.
              </EmptyState>
            ) : (
              <>
                <p className="num border-b border-line bg-sunken px-4 py-2 text-[0.8667rem] text-soft sm:px-5">
                  {open > rows.length
                    ? `${countOpen(open)} to review; showing the first ${count(rows.length)}`
                    : `${countOpen(open)} to review`}
                </p>
                <ReviewList
                  key={order}
                  projectId={project.id}
                  rows={rows}
                  mayDecide={may.decide}
                  onHelp={() => setHelp(true)}
                  onDecided={setDecided}
                />
              </>
            )
          }
        </Loaded>
      </div>
      {help && <KeyHelp onClose={() => setHelp(false)} />}
    </Page>
  );
}

const countOpen = (open: number) =>
  open < REVIEW_MAX_COUNTED ? count(open) : `${count(REVIEW_MAX_COUNTED)} or more`;
