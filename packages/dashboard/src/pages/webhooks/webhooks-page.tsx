import type { NewWebhookRequest, NewWebhookView, WebhookView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { webhooksQuery } from '../../api/outcome-queries.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { Moment } from '../../components/time.tsx';
import { Plus, Webhook } from '../../icons.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookForm } from './webhook-form.tsx';

export function WebhooksPage() {
  const project = useProject();
  const may = usePermissions();
  const webhooks = useQuery({ ...webhooksQuery(project.id), refetchInterval: 15_000 });
  const [making, setMaking] = useState(false);
  const [fresh, setFresh] = useState<NewWebhookView | undefined>();
  const [shown, setShown] = useState<WebhookView | undefined>();
  const create = useChange({
    inline: true,
    send: (body: NewWebhookRequest) => api('POST /projects/:id/webhooks', { id: project.id }, { body }),
    onDone: (webhook) => {
      setMaking(false);
      setFresh(webhook);
    },
  });
  const newButton = may.change && (
    <Button variant="primary" onClick={() => setMaking(true)}>
      <Plus size={16} /> New webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      lead="Send this project’s events to a URL, to Slack, to Discord or to a mailbox. Deliveries are signed, and retried for three days."
      actions={newButton}
    >
      <Loaded query={webhooks} pending={<SkeletonRows rows={4} className="card p-5" />}>
        {(all) =>
          all.length === 0 ? (
            <div className="card">
              <EmptyState icon={Webhook} title="No webhooks yet" action={newButton}>
                Get told about blocked and flagged sign-ups, review decisions, quotas and attacks as they
                happen. Enter a URL that accepts POST requests with a signed JSON body. Email and IP addresses
                are always masked.
              </EmptyState>
            </div>
          ) : (
            <ul className="grid grid-cols-1 gap-4">
              {all.map((webhook) => (
                <li key={webhook.id} className="min-w-0">
                  <WebhookCard
                    webhook={webhook}
                    mayChange={may.change}
                    onFresh={setFresh}
                    onDeliveries={() => setShown(webhook)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {making && (
        <WebhookForm
          projectId={project.id}
          title="New webhook"
          action="Create the webhook"
          busy={create.isPending}
          error={create.error?.message}
          onSubmit={create.mutate}
          onClose={() => {
            setMaking(false);
            create.reset();
          }}
        />
      )}
      {fresh !== undefined && (
        <ShownOnce
          title="The webhook’s secret"
          secret={fresh.secret}
          label="secret"
          warning="Copy it now; it is not shown again. Your receiver checks the signature of every delivery with it."
          onClose={() => setFresh(undefined)}
        >
          {fresh.previousSecretUntil !== null && (
            <p className="text-[0.9rem] text-soft">
              The old secret stays valid until <Moment at={fresh.previousSecretUntil} />, so that nothing
              breaks while you change over.
            </p>
          )}
        </ShownOnce>
      )}
      {shown !== undefined && (
        <Deliveries webhook={shown} mayChange={may.change} onClose={() => setShown(undefined)} />
      )}
    </Page>
  );
}
