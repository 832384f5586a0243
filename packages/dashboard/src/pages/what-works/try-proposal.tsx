import type { RuleProposalView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Modal } from '../../components/modal.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { ReplayReport } from '../../components/time-machine/replay-report.tsx';

interface TryProposalProps {
  projectId: string;
  proposal: RuleProposalView;
  onClose: () => void;
}

const DAYS = 30;

/** Replays the log with the proposal as a blocking rule, asked last. From here it can be created in shadow. */
export function TryProposal({ projectId, proposal, onClose }: TryProposalProps) {
  const may = usePermissions();
  const project = { id: projectId };
  const { when } = proposal;
  const name = `Proposed: ${when}`.slice(0, 100);
  const report = useQuery({
    queryKey: ['time-machine', projectId, 'proposal', when],
    queryFn: async ({ signal }) => {
      const rules = await api('GET /projects/:id/rules', project, { signal });
      const proposed = {
        id: `proposed_${rules.length + 1}`,
        name,
        when,
        then: 'block',
        mode: 'live',
      } as const;
      const saved = rules.map(({ id, name: called, when: asks, then, mode, expiresAt }) => ({
        ...{ id, name: called, when: asks, then, mode },
        ...(expiresAt !== undefined && { expiresAt }),
      }));
      const body = { rules: [...saved, proposed], days: DAYS };
      return api('POST /projects/:id/time-machine', project, { body, signal });
    },
    gcTime: 60_000,
  });
  const create = useChange({
    send: () =>
      api('POST /projects/:id/rules', project, {
        body: { name, when, then: 'block', mode: 'shadow', reason: 'Proposed from outcomes.' },
      }),
    invalidates: [['rules'], ['projects'], ['policy-history'], ['rule-proposals']],
    successText: 'The rule is created in shadow. It changes no answer until you make it live.',
    onDone: onClose,
  });
  return (
    <Modal title="Time machine" wide onClose={onClose}>
      <div className="grid grid-cols-1 gap-5">
        <p className="text-soft">
          What the last {DAYS} days would have been with a rule that blocks when{' '}
          <code className="font-mono text-[0.8667rem] wrap-anywhere">{when}</code>.
        </p>
        <Loaded query={report} pending={<Skeleton className="h-72" />}>
          {(data) => (
            <ReplayReport
              projectId={projectId}
              report={data}
              draft={[data.rules.at(-1)?.id ?? '', 'The proposed rule']}
            />
          )}
        </Loaded>
        <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-5 py-3">
          <Button onClick={onClose}>Close</Button>
          {may.change && (
            <Button variant="primary" busy={create.isPending} onClick={() => create.mutate()}>
              Create it in shadow
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}
