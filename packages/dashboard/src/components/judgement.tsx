import type { Recommendation } from '@postern/contract';
import type { PersonJudgement } from '@postern/contract/dashboard';
import { usePermissions } from '../api/use-session.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { useJudge } from './use-judge.ts';

/** The entry of a row’s menu. */
export const wrongLabel = (recommendation: Recommendation) =>
  recommendation === 'allow' ? 'Mark as wrong: a bad person' : 'Mark as wrong: a good person';

interface PersonJudgedProps {
  projectId: string;
  judgement: PersonJudgement | null;
  answer?: Recommendation;
  /** IDs of the person’s validations that the page shows. Without one, nothing can be said about the person here. */
  validations: readonly string[];
}

/** What is known of the person, whether the answer was wrong, and buttons that say or correct it. */
export function PersonJudged({ projectId, judgement, answer, validations }: PersonJudgedProps) {
  const may = usePermissions();
  const judge = useJudge(projectId);
  const say = (outcome: 'good' | 'bad' | 'unknown') =>
    judge.mutate({ validations: validations.slice(0, 100), outcome });
  const buttons = may.decide && validations.length > 0;
  if (judgement === null)
    return (
      buttons && (
        <p className="flex flex-wrap items-center gap-2 text-[0.9rem] text-soft">
          It is not known how this person turned out.
          <Button small disabled={judge.isPending} onClick={() => say('good')}>
            Mark as good
          </Button>
          <Button small disabled={judge.isPending} onClick={() => say('bad')}>
            Mark as bad
          </Button>
        </p>
      )
    );
  const wrong = answer !== undefined && (answer === 'allow') === (judgement.outcome === 'bad');
  const reason = judgement.reason === null || judgement.reason === '' ? '' : ` (${judgement.reason})`;
  const other = judgement.outcome === 'good' ? 'bad' : 'good';
  return (
    <Notice
      kind={wrong ? 'warn' : 'note'}
      action={
        buttons && (
          <div className="flex flex-wrap gap-2">
            <Button small disabled={judge.isPending} onClick={() => say(other)}>
              No, {other}
            </Button>
            <Button small disabled={judge.isPending} onClick={() => say('unknown')}>
              Take back
            </Button>
          </div>
        )
      }
    >
      This person is known to be {judgement.outcome}
      {reason}.{wrong && ' So this answer was wrong.'}
    </Notice>
  );
}
