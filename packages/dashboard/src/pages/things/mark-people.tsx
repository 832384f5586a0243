import type { ThingView } from '@postern/contract/dashboard';
import { useState } from 'react';
import { Choice } from '../../components/choice.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { plural } from '../../components/format.ts';
import { useJudge } from '../../components/use-judge.ts';
import { reachText } from '../../components/use-reach.tsx';

const WHO = {
  all: 'Everybody',
  allowed: 'Only who was allowed',
  stopped: 'Only who was flagged or blocked',
} as const;
const ANSWERS = { all: undefined, allowed: ['allow'], stopped: ['flag', 'block'] } as const;
/** As many as one decision can take back. */
const MOST = 1_000;

interface MarkPeopleProps {
  projectId: string;
  view: ThingView;
  onClose: () => void;
}

/** Says of everybody who came with a thing that they are good or bad, such as of a farm’s domain. */
export function MarkPeople({ projectId, view, onClose }: MarkPeopleProps) {
  const { kind, name, reach, title } = view;
  const [outcome, setOutcome] = useState<'good' | 'bad'>(reach.good > reach.bad ? 'good' : 'bad');
  const [who, setWho] = useState<keyof typeof WHO>('all');
  const judge = useJudge(projectId);
  const submit = () => {
    const answers = ANSWERS[who];
    judge.mutate(
      { of: { kind, names: [name], ...(answers && { answers: [...answers] }) }, outcome },
      { onSuccess: onClose },
    );
  };
  return (
    <FormDialog
      title={`Mark the people of ${title}`}
      action={`Mark as ${outcome}`}
      busy={judge.isPending}
      disabled={reach.people === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{reachText(reach)}</p>
      <Choice
        label="They turned out"
        value={outcome}
        options={{ bad: 'Bad', good: 'Good' }}
        onChange={setOutcome}
      />
      <Choice label="Who" value={who} options={WHO} onChange={setWho} />
      <p className="text-soft">
        {reach.people > MOST && `The newest ${plural(MOST, 'person', 'people')} at a time. `}
        What they are known to be replaces what was known before. Future answers do not change: use the lists,
        the rules or the policy for that.
      </p>
    </FormDialog>
  );
}
