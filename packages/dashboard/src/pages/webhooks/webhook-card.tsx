import { MOST_COUNTED_DELIVERIES } from '@postern/contract';
import type { ListedWebhook, NewWebhookView, WebhookChangeRequest } from '@postern/contract/dashboard';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { count, percent, plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Ago, Moment } from '../../components/time.tsx';
import { DeliveryResult } from './deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';

interface WebhookCardProps {
  webhook: ListedWebhook;
  mayChange: boolean;
  onFresh: (webhook: NewWebhookView) => void;
  onDeliveries: () => void;
}

export function WebhookCard({ webhook, mayChange, onFresh, onDeliveries }: WebhookCardProps) {
  const { id, projectId, name, url, events, format, filter } = webhook;
  const path = { webhookId: id };
  const [asking, setAsking] = useState<'edit' | 'rotate' | 'delete' | undefined>();
  const ping = useChange({
    send: () => api('POST /webhooks/:webhookId/ping', path),
    successText: 'A test was sent. See the result under Deliveries.',
  });
  const off = webhook.disabledAt !== null;
  const pause = useChange({
    send: () => api('PATCH /webhooks/:webhookId', path, { body: { paused: !off } }),
    successText: off
      ? 'The webhook is on again. What happens from now on is sent, and what waited for another try.'
      : 'The webhook is paused. What happens until you resume it is not sent, also not later.',
  });
  const edit = useChange({
    inline: true,
    send: (body: WebhookChangeRequest) => api('PATCH /webhooks/:webhookId', path, { body }),
    successText: 'The webhook is saved. It applies to the next event.',
    onDone: () => setAsking(undefined),
  });
  const rotate = useChange({
    inline: true,
    send: () => api('POST /webhooks/:webhookId/rotate', path),
    onDone: (answer) => {
      setAsking(undefined);
      onFresh(answer);
    },
  });
  const remove = useChange({
    inline: true,
    send: () => api('DELETE /webhooks/:webhookId', path),
    successText: 'The webhook is deleted.',
    onDone: () => setAsking(undefined),
  });
  const Url = name === null ? 'h2' : 'p';
  return (
    <article aria-label={name ?? url} className="card grid min-w-0 grid-cols-1 gap-3 px-4 py-3.5 sm:px-5">
      <div className="flex flex-wrap items-center gap-2">
        {name !== null && <h2 className="min-w-0 font-semibold wrap-anywhere">{name}</h2>}
        <Url className="min-w-0 font-mono text-[0.9rem] font-medium wrap-anywhere">{url}</Url>
        <StateBadge webhook={webhook} />
        {format !== 'standard' && <Badge>{format}</Badge>}
      </div>
      <p className="flex flex-wrap gap-1.5">
        {events.map((name) => (
          <Badge key={name}>{name}</Badge>
        ))}
        {filter.signals?.map((name) => (
          <Badge key={name} tone="accent">
            only {name}
          </Badge>
        ))}
      </p>
      <Trouble webhook={webhook} />
      <Summary webhook={webhook} />
      <div className="flex flex-wrap gap-2">
        <Button small onClick={onDeliveries}>
          Deliveries
        </Button>
        {mayChange && (
          <>
            <Button
              small
              variant={off ? 'primary' : 'plain'}
              busy={pause.isPending}
              onClick={() => pause.mutate()}
            >
              {off ? (webhook.paused ? 'Resume' : 'Switch on again') : 'Pause'}
            </Button>
            <Button small onClick={() => setAsking('edit')}>
              Edit
            </Button>
            <Button small busy={ping.isPending} onClick={() => ping.mutate()}>
              Send a test
            </Button>
            <Button small onClick={() => setAsking('rotate')}>
              New secret
            </Button>
            <Button small variant="danger" onClick={() => setAsking('delete')}>
              Delete
            </Button>
          </>
        )}
      </div>
      {asking === 'edit' && (
        <WebhookForm
          projectId={projectId}
          title="Edit the webhook"
          action="Save the webhook"
          webhook={webhook}
          busy={edit.isPending}
          error={edit.error?.message}
          onSubmit={edit.mutate}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'rotate' && (
        <Confirm
          title="Create a new secret?"
          action="Create a new secret"
          change={rotate}
          onClose={() => setAsking(undefined)}
        >
          <p>
            Deliveries carry two signatures for 24 hours, one with the old and one with the new secret. Change
            your receiver in that time.
          </p>
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm
          title="Delete the webhook?"
          action="Delete the webhook"
          change={remove}
          onClose={() => setAsking(undefined)}
        >
          <p className="wrap-anywhere">
            {name ?? url} gets no more events, and its list of deliveries is deleted.
          </p>
        </Confirm>
      )}
    </article>
  );
}

function StateBadge({ webhook: { disabledAt, failingSince, paused } }: { webhook: ListedWebhook }) {
  if (paused) return <Badge>paused</Badge>;
  if (disabledAt !== null) return <Badge tone="block">switched off</Badge>;
  return failingSince === null ? <Badge tone="allow">on</Badge> : <Badge tone="flag">failing</Badge>;
}

/** How the deliveries of the last 24 hours went, and the last of all. */
function Summary({ webhook: { lastDay, lastDelivery } }: { webhook: ListedWebhook }) {
  const total = lastDay.delivered + lastDay.failed + lastDay.pending;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8667rem] text-soft">
      {total === 0
        ? 'No deliveries in the last 24 hours.'
        : `${count(lastDay.delivered)} of ${total < MOST_COUNTED_DELIVERIES ? '' : 'the newest '}${plural(total, 'delivery', 'deliveries')} of the last 24 hours succeeded (${percent(lastDay.delivered, total)})${lastDay.pending === 0 ? '' : `, ${count(lastDay.pending)} waiting`}.`}
      {lastDelivery !== null && (
        <>
          <span>
            Last: <Ago at={lastDelivery.at} />
          </span>
          <DeliveryResult row={lastDelivery} />
        </>
      )}
    </p>
  );
}

function Trouble({ webhook }: { webhook: ListedWebhook }) {
  const { disabledAt, failingSince, paused, previousSecretUntil } = webhook;
  return (
    <>
      {disabledAt !== null && !paused ? (
        <Notice kind="bad">
          Switched off <Ago at={disabledAt} />, because the receiver failed for three days or answered 410.
          Repair it, then switch the webhook on again.
        </Notice>
      ) : (
        failingSince !== null && (
          <Notice kind="warn">
            The receiver has failed since <Moment at={failingSince} />. Postern tries again for three days.
            Deliveries show what it answered.
          </Notice>
        )
      )}
      {previousSecretUntil !== null && previousSecretUntil > Date.now() && (
        <p className="text-[0.8667rem] text-faint">
          Deliveries are signed with the old secret too until <Moment at={previousSecretUntil} />.
        </p>
      )}
    </>
  );
}
