import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, failureText } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { policyPatch } from '../../components/policy-change.ts';
import { TimeMachine } from '../../components/time-machine/time-machine.tsx';
import { showToast, showUndo } from '../../components/toasts.tsx';
import { differencesQuery } from './compare-versions.tsx';

interface GoBackProps {
  version: number;
  newest: number;
  onClose: () => void;
}

/** Shows what going back changes and what that would have done to past sign-ups, before it is done. */
export function GoBack({ version, newest, onClose }: GoBackProps) {
  const project = useProject();
  const queryClient = useQueryClient();
  const { data } = useQuery(differencesQuery(project.id, version, newest));
  const restore = (to: number, reason?: string) =>
    api(
      'POST /projects/:id/policy-history/:version/restore',
      { id: project.id, version: String(to) },
      { body: reason ? { reason } : {} },
    );
  const undo = async () => {
    try {
      await restore(newest);
      showToast('The policy and the rules are as they were before.');
    } catch (error) {
      showToast(failureText(error), true);
    }
    await queryClient.invalidateQueries();
  };
  const back = useChange({
    send: (reason: string) => restore(version, reason),
    inline: true,
    onDone: () => {
      showUndo('The earlier policy is saved again and applies to new requests.', () => void undo());
      onClose();
      void queryClient.invalidateQueries();
    },
  });
  if (data === undefined) return null;
  const patch = policyPatch(project.policy, data.policy);
  return (
    <TimeMachine
      projectId={project.id}
      edited={{ rules: data.rules, ...(patch && { policy: patch }) }}
      lead={`Going back to version ${version} changes: ${data.changes.join(' ') || 'nothing.'}`}
      backText="Keep what is in use"
      onClose={onClose}
      save={{
        text: `Go back to version ${version}`,
        busy: back.isPending,
        error: back.error,
        onSave: back.mutate,
      }}
    />
  );
}
