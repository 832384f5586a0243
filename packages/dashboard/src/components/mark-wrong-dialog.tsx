import type { ValidationRow } from '@postern/contract/dashboard';
import { useState } from 'react';
import { Choice } from './choice.tsx';
import { FormDialog } from './form-dialog.tsx';
import { plural } from './format.ts';
import { useJudge } from './use-judge.ts';

export interface MarkWrongDialogProps {
  projectId: string;
  /** The validations that the page shows. */
  rows: readonly ValidationRow[];
  onClose: () => void;
}

type Group = 'stopped' | 'allowed';

/** Marks several answers as wrong: those that stopped people, or those that let them in. */
export function MarkWrongDialog({ projectId, rows, onClose }: MarkWrongDialogProps) {
  const live = rows.filter(({ mode }) => mode === 'live');
  const groups: Record<Group, readonly ValidationRow[]> = {
    stopped: live.filter(({ recommendation }) => recommendation !== 'allow'),
    allowed: live.filter(({ recommendation }) => recommendation === 'allow'),
  };
  const [group, setGroup] = useState<Group>(groups.stopped.length > 0 ? 'stopped' : 'allowed');
  const mark = useJudge(projectId);
  const chosen = groups[group].slice(0, 100);
  const people = new Set(chosen.map(({ inbox }) => inbox)).size;
  const submit = () => {
    mark.mutate({ validations: chosen.map(({ id }) => id), outcome: 'wrong' }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title="Which answers were wrong?"
      action="Mark as wrong"
      busy={mark.isPending}
      disabled={chosen.length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <Choice
        label="Of the validations that this page shows"
        value={group}
        options={[
          { value: 'stopped', label: `${groups.stopped.length} flagged or blocked` },
          { value: 'allowed', label: `${groups.allowed.length} allowed` },
        ]}
        onChange={setGroup}
      />
      <p className="text-soft">
        {chosen.length === 0
          ? 'There are none.'
          : `${plural(people, 'person', 'people')} will count as ${group === 'stopped' ? 'good' : 'bad'} under What works and in the review queue. Future answers do not change: use the lists or the policy for that.`}
      </p>
    </FormDialog>
  );
}
