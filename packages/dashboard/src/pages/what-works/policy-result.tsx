import type { OutcomeEffect } from '@postern/contract/dashboard';
import { count, percent } from '../../components/format.ts';
import { effectSides } from '../../components/outcome-effect.ts';
import { Section } from '../../components/page.tsx';

/** How many bad and how many good people the policy blocked. */
export function PolicyResult({ effect }: { effect: OutcomeEffect }) {
  const [bad, good] = effectSides(effect);
  const figures = [
    { title: 'Bad people blocked', side: bad, tone: 'text-allow' },
    { title: 'Good people blocked', side: good, tone: 'text-block' },
  ];
  return (
    <Section
      title="Your policy"
      lead="How many bad and how many good people it blocked. Each person counts once, with the mildest answer they got."
    >
      <dl className="grid gap-3 sm:grid-cols-2">
        {figures.map(({ title, side, tone }) => (
          <div key={title} className="rounded-lg border border-line bg-sunken px-4 py-3">
            <dt className="text-[0.8667rem] text-soft">{title}</dt>
            <dd
              className={`num text-[1.6rem] leading-tight font-semibold ${side.blocked === 0 ? 'text-soft' : tone}`}
            >
              {side.total === 0 ? '–' : percent(side.blocked, side.total)}
              {side.total > 0 && (
                <span className="ml-2 text-[0.9333rem] font-normal text-soft">
                  {count(side.blocked)} of {count(side.total)}
                </span>
              )}
            </dd>
            <dd className="num text-[0.8667rem] text-faint">
              {side.total === 0
                ? `Nobody is known to be ${side.name} yet.`
                : `${count(side.flagged)} more were flagged.`}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
