import type { ValidationRow } from '@postern/contract/dashboard';
import { type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { Choice } from './choice.tsx';
import { plural } from './format.ts';
import { Modal } from './modal.tsx';
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mark.mutate({ validations: chosen.map(({ id }) => id), outcome: 'wrong' }, { onSuccess: onClose });
  };
  return (
    <Modal title="Which answers were wrong?" onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
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
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={mark.isPending} disabled={chosen.length === 0}>
            Mark as wrong
          </Button>
        </div>
      </form>
    </Modal>
  );
}
