import type { TimeMachineReport } from '@postern/contract/dashboard';
import { count } from '../format.ts';
import { effectSides, effectText } from '../outcome-effect.ts';

const TITLES = { bad: 'Bad people', good: 'Good people' } as const;

/** How many bad and good people the policy blocks and flags, today and with the change. */
export function OutcomesReplayed({
  outcomes,
  knownPartial,
}: Pick<TimeMachineReport, 'outcomes' | 'knownPartial'>) {
  if (outcomes.before.bad + outcomes.before.good === 0) return null;
  const [badBefore, goodBefore] = effectSides(outcomes.before);
  const [badAfter, goodAfter] = effectSides(outcomes.after);
  return (
    <section aria-label="People with a known outcome" className="rounded-lg border border-line">
      <h3 className="border-b border-line bg-sunken px-3.5 py-2 text-[0.9rem] font-medium">
        People with a known outcome
      </h3>
      {knownPartial && (
        <p className="px-3.5 pt-3 text-[0.8667rem] text-faint">
          Only the {count(outcomes.before.bad + outcomes.before.good)} who were seen last are counted.
        </p>
      )}
      <dl className="grid gap-3 px-3.5 py-3 text-[0.9rem] sm:grid-cols-2">
        {(
          [
            ['bad', badBefore, badAfter],
            ['good', goodBefore, goodAfter],
          ] as const
        ).map(([name, before, after]) => (
          <div key={name} className="grid gap-0.5">
            <dt className="font-medium">{TITLES[name]}</dt>
            <dd className="num text-soft">Today: {effectText(before)}</dd>
            <dd className="num">With the change: {effectText(after)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
