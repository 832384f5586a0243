import type { Recommendation } from '@postern/contract';
import type { PersonJudgement } from '@postern/contract/dashboard';
import { useState } from 'react';
import { MarkWrongDialog } from './action-dialogs.tsx';
import { Button } from './button.tsx';
import type { MarkWrongDialogProps } from './mark-wrong-dialog.tsx';
import { Notice } from './notice.tsx';

/** The entry of a row’s menu. */
export const wrongLabel = (recommendation: Recommendation) =>
  recommendation === 'allow' ? 'Mark as wrong: a bad person' : 'Mark as wrong: a good person';

/** What is known of the person, and whether the answer was wrong. */
export function JudgementNotice({
  judgement,
  answer,
}: {
  judgement: PersonJudgement;
  answer?: Recommendation;
}) {
  const wrong = answer !== undefined && (answer === 'allow') === (judgement.outcome === 'bad');
  const reason = judgement.reason === null || judgement.reason === '' ? '' : ` (${judgement.reason})`;
  return (
    <Notice kind={wrong ? 'warn' : 'note'}>
      This person is known to be {judgement.outcome}
      {reason}.{wrong && ' So this answer was wrong.'}
    </Notice>
  );
}

/** The button for pages about a person, a domain or a network. */
export function MarkWrongButton({ projectId, rows }: Omit<MarkWrongDialogProps, 'onClose'>) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button disabled={rows.length === 0} onClick={() => setAsking(true)}>
        Mark as wrong…
      </Button>
      {asking && <MarkWrongDialog projectId={projectId} rows={rows} onClose={() => setAsking(false)} />}
    </>
  );
}
