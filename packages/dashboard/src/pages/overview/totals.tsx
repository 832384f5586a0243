import type { Overview } from '@postern/contract/dashboard';
import type { ReactNode } from 'react';
import { Change } from '../../components/charts/change.tsx';
import { count, dayOf, milliseconds, percent, shortCount } from '../../components/format.ts';
import { Meter } from '../../components/meter.tsx';

export function Totals({ data: { totals, previous, latencyMs, quota } }: { data: Overview }) {
  const before = previous.totals;
  const isComparable = before.validations > 0;
  return (
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Total name="Validations" value={shortCount(totals.validations)}>
        {percent(totals.allow, totals.validations)} allowed
        {isComparable && (
          <>
            {' · '}
            <Change now={totals.validations} before={before.validations} /> vs. previous period
          </>
        )}
      </Total>
      <Total name="Flagged · blocked" value={`${shortCount(totals.flag)} · ${shortCount(totals.block)}`}>
        {isComparable ? (
          <>
            <Change now={totals.flag} before={before.flag} /> ·{' '}
            <Change now={totals.block} before={before.block} /> vs. previous period
          </>
        ) : (
          `${percent(totals.flag, totals.validations)} · ${percent(totals.block, totals.validations)} of all`
        )}
      </Total>
      <Total name="Answer time (median)" value={latencyMs === null ? '–' : milliseconds(latencyMs.p50)}>
        {latencyMs === null
          ? 'No answers yet'
          : `p95 ${milliseconds(latencyMs.p95)}, p99 ${milliseconds(latencyMs.p99)}`}
      </Total>
      <Total name="Quota this month" value={shortCount(quota.used)}>
        <span className="grid gap-1.5">
          <Meter label="Quota used" value={quota.used} max={quota.limit} />
          <span>
            of {count(quota.limit)}, resets {dayOf(Date.parse(quota.resetAt))}
          </span>
        </span>
      </Total>
    </dl>
  );
}

function Total({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="card flex min-w-0 flex-col px-4 py-3.5">
      <dt className="text-[0.8667rem] text-soft">{name}</dt>
      <dd className="num mt-1 text-[1.45rem] leading-tight font-semibold tracking-tight">{value}</dd>
      <dd className="num mt-auto pt-1.5 text-[0.8333rem] text-faint">{children}</dd>
    </div>
  );
}
