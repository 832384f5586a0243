import type { NewWebhookRequest, NewWebhookView } from '@postern/contract/dashboard';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { WebhookForm } from './webhook-form.tsx';

interface NewWebhookProps {
  projectId: string;
  onClose: () => void;
  onMade: (webhook: NewWebhookView) => void;
}

export function NewWebhook({ projectId, onClose, onMade }: NewWebhookProps) {
  const create = useChange({
    inline: true,
    send: (body: NewWebhookRequest) => api('POST /projects/:id/webhooks', { id: projectId }, { body }),
    invalidates: [['webhooks', projectId]],
    onDone: onMade,
  });
  return (
    <WebhookForm
      projectId={projectId}
      title="New webhook"
      action="Create the webhook"
      busy={create.isPending}
      error={create.error?.message}
      onSubmit={create.mutate}
      onClose={onClose}
    />
  );
}
