import type { Action, CheckName, CheckResult } from '@postern/contract';
import { Badge } from '../../components/badge.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { milliseconds } from '../../components/format.ts';
import { RESULT_LOOKS } from '../../components/result-looks.ts';
import { checkTexts } from './check-texts.ts';

interface CheckExplainedProps {
  name: CheckName;
  result: CheckResult;
  action: Action | undefined;
}

export function CheckExplained({ name, result, action }: CheckExplainedProps) {
  const { kind, why, facts } = checkTexts(name, result, action);
  const { Icon, colour, tone, word } = RESULT_LOOKS[kind];
  return (
    <article aria-label={CHECKS[name].title} className="rounded-lg border border-line p-3.5">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        <Icon size={17} className={colour} />
        {CHECKS[name].title}
        <Badge tone={tone}>{word}</Badge>
      </h3>
      <p className="mt-1 text-[0.9rem] text-soft">{why}</p>
      <details className="mt-1.5 text-[0.8333rem]">
        <summary className="w-fit rounded text-faint hover:text-ink">Technical details</summary>
        <dl className="mt-1.5 grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
          <Fact name="time" value={milliseconds(result.latency)} meaning="How long the check took" />
          {facts.map((fact) => (
            <Fact key={fact.name} {...fact} />
          ))}
        </dl>
      </details>
    </article>
  );
}

function Fact({ name, value, meaning }: { name: string; value: string; meaning: string | undefined }) {
  return (
    <div className="contents" title={meaning}>
      <dt className="font-mono text-faint wrap-anywhere">{name}</dt>
      <dd className="wrap-anywhere">{value}</dd>
    </div>
  );
}
