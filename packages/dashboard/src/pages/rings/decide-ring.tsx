import { MAX_OUTCOME_REASON } from '@postern/contract';
import type { RingDetail } from '@postern/contract/dashboard';
import { useState } from 'react';
import { Choice } from '../../components/choice.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useJudge } from '../../components/use-judge.ts';

interface DecideRingProps {
  projectId: string;
  ring: RingDetail;
  onClose: () => void;
}

/** The same decision about everybody in the ring. */
export function DecideRing({ projectId, ring, onClose }: DecideRingProps) {
  const [outcome, setOutcome] = useState<'good' | 'bad'>('bad');
  const [reason, setReason] = useState('');
  const judge = useJudge(projectId);
  const decided = ring.members.filter(({ validation }) => validation !== null);
  const validations = decided.flatMap(({ validation }) => validation ?? []);
  const changed = decided.filter((member) => member.outcome !== null && member.outcome !== outcome).length;
  const people = plural(decided.length, 'person', 'people');
  const submit = () => {
    judge.mutate(
      { validations, outcome, ...(reason.trim() !== '' && { reason: reason.trim() }) },
      { onSuccess: onClose },
    );
  };
  return (
    <FormDialog
      title="Decide all of it"
      action={`Mark ${people} as ${outcome}`}
      busy={judge.isPending}
      disabled={validations.length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <Choice
        label="These people are"
        value={outcome}
        options={[
          { value: 'bad', label: 'Bad' },
          { value: 'good', label: 'Good' },
        ]}
        onChange={setOutcome}
      />
      <p className="text-soft">
        {people} will count as {outcome}: in the outcomes, in What works and in proposed rules. Those who wait
        in review leave the queue, and webhooks get a review.decided event for each. It does not change how
        they are answered: “List all of it” does that. Undo takes all of it back.
      </p>
      {changed > 0 && (
        <Notice kind="warn">
          {plural(changed, 'person is', 'people are')} known to be {outcome === 'bad' ? 'good' : 'bad'} and
          will be {outcome} instead.
        </Notice>
      )}
      <TextField label="Why (optional)" maxLength={MAX_OUTCOME_REASON} value={reason} onChange={setReason} />
    </FormDialog>
  );
}
