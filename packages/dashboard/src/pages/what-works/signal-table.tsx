import { isCheckName } from '@postern/contract';
import type { OutcomeRowView } from '@postern/contract/dashboard';
import { useState } from 'react';
import { useProject } from '../../api/use-project.ts';
import { Badge } from '../../components/badge.tsx';
import { CHECKS, signalMeaning } from '../../components/check-names.ts';
import { Choice } from '../../components/choice.tsx';
import { count, percent } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { RuleLinks } from '../../components/rule-links.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import { Cell, Table } from '../../components/table.tsx';

const KINDS = { signal: 'Signals', check: 'Checks', rule: 'Rules' };

const HEADS = { signal: 'Signal', check: 'Check', rule: 'Rule' } as const;

interface SignalTableProps {
  rows: readonly OutcomeRowView[];
  baseRate: number | null;
}

/** How well each signal, check and rule told bad people from good ones. */
export function SignalTable({ rows, baseRate }: SignalTableProps) {
  const [kind, setKind] = useState<keyof typeof KINDS>('signal');
  const shown = rows.filter((row) => row.kind === kind);
  return (
    <Section
      title="Signals, checks and rules"
      lead="The bar is the share of bad people among those with a known outcome. The thin line is its 95% interval, the dashed line the average share. Lift compares the two: 2.0× means twice as many bad people as average."
      actions={<Choice label="What to show" hideLabel value={kind} options={KINDS} onChange={setKind} />}
      flush
    >
      {shown.length === 0 ? (
        <p className="px-5 pb-5 text-soft">Nobody in this period had one.</p>
      ) : (
        <Table
          label="Signals, checks and rules"
          head={[HEADS[kind], 'People', 'Known', 'Bad share', 'Lift']}
          flows
        >
          {shown.map((row) => (
            <SignalRow key={row.name} row={row} baseRate={baseRate} />
          ))}
        </Table>
      )}
    </Section>
  );
}

function SignalRow({ row, baseRate }: { row: OutcomeRowView; baseRate: number | null }) {
  const { id } = useProject();
  const { name, people, known, bad, share, low, high, lift } = row;
  return (
    <tr>
      <Cell className="max-md:basis-full max-md:!pl-0 md:max-w-72">
        {row.kind === 'rule' ? (
          <RuleLinks projectId={id} ids={[name]} />
        ) : (
          <span
            className={row.kind === 'signal' ? 'font-mono text-[0.8333rem] wrap-anywhere' : 'font-medium'}
          >
            {isCheckName(name) ? CHECKS[name].title : name}
          </span>
        )}
        <span className="hidden text-[0.8333rem] text-faint md:block">{meaningOf(row)}</span>
      </Cell>
      <Cell className="num">
        {count(people)} <span className="text-faint md:hidden">people</span>
      </Cell>
      <Cell className="num">
        {count(known)} <span className="text-faint md:hidden">known</span>
      </Cell>
      <Cell className="num max-md:order-last max-md:basis-full">
        {share === null || low === null || high === null ? (
          <span className="text-faint">not known yet</span>
        ) : (
          <div className="grid gap-1">
            <ShareBar share={share} low={low} high={high} baseRate={baseRate} />
            <span className="text-[0.8333rem] whitespace-nowrap">
              {percent(bad, known)}{' '}
              <span className="text-faint">
                {percent(low, 1)} to {percent(high, 1)}
              </span>
            </span>
          </div>
        )}
      </Cell>
      <Cell className="num whitespace-nowrap max-md:ml-auto max-md:!pr-0">
        {lift === null ? (
          <span className="text-faint">–</span>
        ) : (
          <Badge tone={certainly(row, baseRate)}>{`${lift.toFixed(1)}×`}</Badge>
        )}
      </Cell>
    </tr>
  );
}

function meaningOf({ kind, name }: OutcomeRowView): string | undefined {
  if (kind === 'signal') return signalMeaning(name);
  return isCheckName(name) ? CHECKS[name].asks : undefined;
}

/** Coloured only if the whole interval is above or below the average share. */
function certainly({ low, high }: OutcomeRowView, baseRate: number | null): 'block' | 'allow' | 'neutral' {
  if (low === null || high === null || baseRate === null) return 'neutral';
  if (low > baseRate) return 'block';
  return high < baseRate ? 'allow' : 'neutral';
}
