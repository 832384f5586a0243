import type { PolicyPatch } from '@postern/contract/project-fields';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Modal } from '../../components/modal.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { TextField } from '../../components/text-field.tsx';
import { ReplayReport } from './replay-report.tsx';

interface TimeMachineProps {
  projectId: string;
  patch: PolicyPatch;
  /** What the settings of the patch are before it is saved. */
  before: PolicyPatch | undefined;
  /** How far back to look at first. */
  days?: number | undefined;
  mayChange: boolean;
  onClose: () => void;
}

const SPANS = ['7', '30', '90', '365'];

/** Replays past validations under the new policy, before it is saved. */
export function TimeMachine({
  projectId,
  patch,
  before,
  days: firstDays,
  mayChange,
  onClose,
}: TimeMachineProps) {
  const [days, setDays] = useState(SPANS.includes(String(firstDays)) ? String(firstDays) : '30');
  const [reason, setReason] = useState('');
  const project = { id: projectId };
  const report = useQuery({
    queryKey: ['time-machine', projectId, patch, days],
    queryFn: () =>
      api('POST /projects/:id/time-machine', project, { body: { policy: patch, days: Number(days) } }),
    gcTime: 60_000,
  });
  const save = useChange({
    send: () =>
      api('PATCH /projects/:id', project, {
        body: { policy: patch, expected: { policy: before }, reason: reason.trim() },
      }),
    invalidates: [['projects'], ['policy-history']],
    successText: 'The policy is saved and applies to new requests.',
    onDone: onClose,
  });
  return (
    <Modal title="Time machine" wide onClose={onClose}>
      <div className="grid grid-cols-1 gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-soft">What this policy would have answered to past sign-ups.</p>
          <Choice
            label="How far back"
            hideLabel
            value={days}
            options={SPANS.map((value) => ({ value, label: `${value} days` }))}
            onChange={setDays}
          />
        </div>
        <Loaded query={report} pending={<Skeleton className="h-72" />}>
          {(data) => <ReplayReport projectId={projectId} report={data} />}
        </Loaded>
        {mayChange && (
          <TextField
            label="Why (optional)"
            hint="Shown in the history of the policy."
            maxLength={200}
            value={reason}
            onChange={setReason}
          />
        )}
        <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-5 py-3">
          <Button onClick={onClose}>Back to the policy</Button>
          {mayChange && (
            <Button
              variant="primary"
              busy={save.isPending}
              disabled={report.isPending}
              onClick={() => save.mutate()}
            >
              Save the policy
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}
