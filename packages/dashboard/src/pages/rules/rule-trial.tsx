import type { RuleTest } from '@postern/contract/dashboard';
import { ExampleRows } from '../../components/example-rows.tsx';
import { count, percent, plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';

interface RuleTrialProps {
  projectId: string;
  trial: RuleTest;
}

/** Whom a condition would have matched in the last 30 days. */
export function RuleTrial({ projectId, trial }: RuleTrialProps) {
  const { considered, matches, known, bad, good, answered, failed, examples, partial } = trial;
  if (considered === 0)
    return <p className="text-soft">There are no validations of the last 30 days to try it on.</p>;
  return (
    <div className="grid gap-3">
      <p className="num">
        <strong className="text-[1.3rem] font-semibold">{count(matches)}</strong> of {count(considered)}{' '}
        validations match ({percent(matches, considered)}
        {partial && `; estimated from a sample, ${count(trial.matchesLow)} to ${count(trial.matchesHigh)}`}).
      </p>
      {matches > 0 && (
        <dl className="num grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-[0.9rem]">
          <dt className="text-soft">Answered then</dt>
          <dd>
            allow {count(answered.allow)}, flag {count(answered.flag)}, block {count(answered.block)}
          </dd>
          <dt className="text-soft">Known people</dt>
          <dd>{known === 0 ? 'none' : `${count(bad)} bad, ${count(good)} good`}</dd>
        </dl>
      )}
      {failed > 0 && (
        <Notice kind="warn">
          {plural(failed, 'evaluation')} failed, for example by a division by zero. They do not match.
        </Notice>
      )}
      {examples.length > 0 && (
        <section aria-label="Examples">
          <h3 className="text-[0.9rem] font-medium">The newest</h3>
          <ExampleRows projectId={projectId} rows={examples} />
        </section>
      )}
    </div>
  );
}
