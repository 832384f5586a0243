import type { TimeMachineRequest } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../button.tsx';
import { Choice } from '../choice.tsx';
import { Modal } from '../modal.tsx';
import { Notice } from '../notice.tsx';
import { Loaded, Skeleton } from '../pending.tsx';
import { TextField } from '../text-field.tsx';
import { SPANS } from '../time-range.ts';

interface TimeMachineProps {
  projectId: string;
  /** What is replayed: an edited policy, or edited rules. */
  edited: Pick<TimeMachineRequest, 'policy' | 'rules'>;
  /** The ID and the name of a rule that is not saved yet. */
  draft?: readonly [id: string, name: string];
  lead: string;
  /** Closes without saving. */
  backText: string;
  onClose: () => void;
  /** Absent if the person may not save it. */
  save?: { text: string; busy: boolean; error: Error | null; onSave: (reason: string) => void } | undefined;
}

/** Replays past validations with a change before it is saved. */
export function TimeMachine(props: TimeMachineProps) {
  const { projectId, edited, save, onClose } = props;
  const [days, setDays] = useState('30');
  const [reason, setReason] = useState('');
  const report = useQuery({
    queryKey: ['time-machine', projectId, edited, days],
    queryFn: async ({ signal }) => {
      const [{ ReplayReport }, numbers] = await Promise.all([
        import('./replay-report.tsx'),
        api(
          'POST /projects/:id/time-machine',
          { id: projectId },
          { body: { ...edited, days: Number(days) }, signal },
        ),
      ]);
      return { ReplayReport, numbers };
    },
    gcTime: 60_000,
  });
  return (
    <Modal title="Time machine" wide onClose={onClose}>
      <div className="grid grid-cols-1 gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-soft">{props.lead}</p>
          <Choice label="How far back" hideLabel value={days} options={SPANS} onChange={setDays} />
        </div>
        <Loaded query={report} pending={<Skeleton className="h-72" />}>
          {({ ReplayReport, numbers }) => (
            <ReplayReport
              projectId={projectId}
              report={numbers}
              {...(props.draft !== undefined && { draft: props.draft })}
            />
          )}
        </Loaded>
        {save !== undefined && (
          <TextField
            label="Why (optional)"
            hint="Shown in the history of the policy."
            maxLength={200}
            value={reason}
            onChange={setReason}
          />
        )}
        {save !== undefined && save.error !== null && <Notice kind="bad">{save.error.message}</Notice>}
        <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-5 py-3">
          <Button onClick={onClose}>{props.backText}</Button>
          {save !== undefined && (
            <Button
              variant="primary"
              busy={save.busy}
              disabled={report.isPending}
              onClick={() => save.onSave(reason.trim())}
            >
              {save.text}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}
