import type { ReviewDecisionRequest, ReviewRow } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { KeyboardEvent } from 'react';
import { validationQuery } from '../../api/queries.ts';
import { RequestId } from '../../components/admin-link.tsx';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { percent } from '../../components/format.ts';
import { SharedWith } from '../../components/shared-with.tsx';
import { SignalList } from '../../components/signal-list.tsx';
import { TextField } from '../../components/text-field.tsx';
import { ThingLink } from '../../components/thing-link.tsx';
import { Ago } from '../../components/time.tsx';
import { Key } from './key-help.tsx';

interface ReviewItemProps {
  projectId: string;
  row: ReviewRow;
  open: boolean;
  /** It has left the queue while it was open. */
  gone: boolean;
  selected: boolean;
  onSelect: () => void;
  mayDecide: boolean;
  reason: string;
  onReason: (reason: string) => void;
  onOpen: () => void;
  onDecide: (decision: ReviewDecisionRequest['decision']) => void;
}

export function ReviewItem(props: ReviewItemProps) {
  const { row, open, selected, onSelect, mayDecide, onOpen } = props;
  return (
    <li className="border-b border-line last:border-b-0 wide:contents">
      <div
        className={clsx(
          'flex items-center border-line wide:col-start-1 wide:border-r wide:border-b',
          open && 'selected',
        )}
      >
        {mayDecide && (
          <label className="grid self-stretch pl-4 sm:pl-5">
            <input
              type="checkbox"
              aria-label={`Select ${row.maskedAddress}`}
              className="m-auto size-4"
              checked={selected}
              onChange={onSelect}
            />
          </label>
        )}
        <button
          type="button"
          data-row={row.id}
          aria-expanded={open}
          onClick={onOpen}
          className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
        >
          <span className="min-w-0 truncate font-medium">{row.maskedAddress}</span>
          {row.failed.map((name) => (
            <Badge key={name}>{CHECKS[name].title}</Badge>
          ))}
          {row.risk !== null && (
            <Badge tone={row.risk >= 0.5 ? 'flag' : 'neutral'}>
              {percent(row.risk, 1)} of such people were bad
            </Badge>
          )}
          <span className="ml-auto text-[0.8667rem] text-soft">
            <Ago at={row.at} narrow />
          </span>
        </button>
      </div>
      {open && <ReviewDetail {...props} />}
    </li>
  );
}

function ReviewDetail({ projectId, row, gone, mayDecide, reason, onReason, onDecide }: ReviewItemProps) {
  const detail = useQuery(validationQuery(projectId, row.id));
  return (
    <section aria-labelledby="evidence" className="selected evidence @container px-4 pb-4 sm:px-5">
      <div className="grid grid-cols-1 gap-4 @xl:grid-cols-2">
        <h2
          id="evidence"
          className="text-[1.1rem] font-semibold wrap-anywhere max-wide:hidden @xl:col-span-2"
        >
          {row.maskedAddress}
        </h2>
        <section aria-label="Others in 30 days" className="text-[0.9rem]">
          {detail.data !== undefined && <SharedWith projectId={projectId} detail={detail.data} />}
        </section>
        <SignalList signals={row.signals} />
        <p className="text-[0.8667rem] text-soft @xl:col-span-2">
          {row.maskedIp !== null && <>From {row.maskedIp} · </>}
          <Link
            to="/projects/$projectId/validations"
            params={{ projectId }}
            search={{ open: row.id }}
            state={{ openedHere: true }}
            className="link"
          >
            All checks of this sign-up
          </Link>{' '}
          ·{' '}
          <ThingLink projectId={projectId} of={{ person: row.inbox }} className="link">
            this person
          </ThingLink>
          <br />
          Request <RequestId requestId={row.requestId} />
        </p>
        {mayDecide && (
          <div className="grid gap-3 sm:flex sm:flex-wrap sm:items-end @xl:col-span-2">
            <div className="sm:w-64">
              <TextField
                label="Reason (optional)"
                maxLength={64}
                placeholder="chargeback, known customer…"
                value={reason}
                onChange={onReason}
                onKeyDown={leaveField}
              />
            </div>
            {gone && <p>It has left the queue: somebody else may have decided it. Choose another one.</p>}
            <div className="flex flex-wrap gap-2" hidden={gone}>
              <Button onClick={() => onDecide('good')} aria-keyshortcuts="a">
                Good <Key name="a" />
              </Button>
              <Button onClick={() => onDecide('bad')} aria-keyshortcuts="r">
                Bad <Key name="r" />
              </Button>
              <Button variant="quiet" onClick={() => onDecide('passed')} aria-keyshortcuts="p">
                Pass <Key name="p" />
              </Button>
            </div>
          </div>
        )}
      </div>
    </section>
  );
}

/** After the reason, the keys decide again. */
function leaveField(event: KeyboardEvent<HTMLInputElement>): void {
  // An input method uses both keys itself.
  if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
  event.preventDefault();
  event.currentTarget.blur();
}
