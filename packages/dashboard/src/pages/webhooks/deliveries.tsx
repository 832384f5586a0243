import type { DeliveryView, WebhookView } from '@postern/contract/dashboard';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { api } from '../../api/client.ts';
import { deliveriesQuery, deliveryQuery } from '../../api/outcome-queries.ts';
import { useChange } from '../../api/use-change.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { milliseconds, plural } from '../../components/format.ts';
import { Modal } from '../../components/modal.tsx';
import { Loaded, ShowMore, Skeleton, SkeletonRows } from '../../components/pending.tsx';
import { Ago, Moment } from '../../components/time.tsx';
import { Send } from '../../icons.ts';

interface DeliveriesProps {
  webhook: WebhookView;
  mayChange: boolean;
  onClose: () => void;
}

/** What was sent to a webhook, newest first, and how it went. */
export function Deliveries({ webhook, mayChange, onClose }: DeliveriesProps) {
  const deliveries = useInfiniteQuery(deliveriesQuery(webhook.id));
  const [openId, setOpenId] = useState<string | undefined>();
  const rows = deliveries.data?.pages.flatMap((page) => page.rows);
  return (
    <Modal
      title={webhook.name === null ? 'Deliveries' : `Deliveries: ${webhook.name}`}
      drawer
      onClose={onClose}
    >
      <p className="mb-3 font-mono text-[0.8333rem] text-soft wrap-anywhere">{webhook.url}</p>
      <Loaded query={{ ...deliveries, data: rows }} pending={<SkeletonRows rows={8} />}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={Send} title="No deliveries yet">
              “Send a test” sends the event test.ping at once. Real events follow when they happen.
            </EmptyState>
          ) : (
            <ol className="divide-y divide-line rounded-lg border border-line">
              {all.map((row) => (
                <li key={row.id}>
                  <button
                    type="button"
                    aria-expanded={row.id === openId}
                    onClick={() => setOpenId(row.id === openId ? undefined : row.id)}
                    className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5 text-left text-[0.9rem] hover:bg-hover focus-visible:-outline-offset-2"
                  >
                    <DeliveryResult row={row} />
                    <span className="ml-auto text-[0.8667rem] text-soft">
                      <Ago at={row.at} narrow />
                    </span>
                  </button>
                  {row.id === openId && (
                    <Delivery
                      key={`${row.state}${row.attempts}`}
                      row={row}
                      webhook={webhook}
                      mayChange={mayChange}
                    />
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
      <ShowMore query={deliveries} />
    </Modal>
  );
}

const TONES: Record<DeliveryView['state'], Tone> = { pending: 'flag', delivered: 'allow', failed: 'block' };

export function DeliveryResult({ row }: { row: DeliveryView }) {
  const { state, attempts, type, nextAttemptAt } = row;
  const waits = nextAttemptAt === null ? 'on hold' : attempts > 0 ? 'retrying' : state;
  return (
    <>
      <Badge tone={TONES[state]}>{state === 'pending' ? waits : state}</Badge>
      <code className="font-mono text-[0.8333rem]">{type}</code>
      <span className="num text-[0.8333rem] text-faint">{resultText(row)}</span>
    </>
  );
}

/** “200 in 40 ms”, or what went wrong. */
function resultText({ status, error, durationMs, attempts }: DeliveryView): string {
  const took = durationMs === null ? '' : ` in ${milliseconds(durationMs)}`;
  const tries = attempts > 1 ? `, ${plural(attempts, 'attempt')}` : '';
  if (status !== null) return `HTTP ${status}${took}${tries}`;
  return error === null ? 'not tried yet' : `no answer${took}${tries}`;
}

interface DeliveryProps {
  row: DeliveryView;
  webhook: WebhookView;
  mayChange: boolean;
}

function Delivery({ row, webhook: { projectId, id: webhookId }, mayChange }: DeliveryProps) {
  const detail = useQuery(deliveryQuery(projectId, webhookId, row.id));
  const resend = useChange({
    send: () =>
      api('POST /projects/:id/webhooks/:webhookId/deliveries/:deliveryId/resend', {
        id: projectId,
        webhookId,
        deliveryId: row.id,
      }),
    successText: 'It will be sent again.',
  });
  const times = [
    ['Event time', row.at],
    [row.state === 'delivered' ? 'Delivered' : 'Given up', row.doneAt],
    ['Next attempt', row.nextAttemptAt],
  ] as const;
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line bg-sunken px-3.5 py-3 text-[0.9rem]">
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        {times.map(
          ([name, at]) =>
            at !== null && (
              <Fragment key={name}>
                <dt className="text-faint">{name}</dt>
                <dd>
                  <Moment at={at} />
                </dd>
              </Fragment>
            ),
        )}
        <dt className="text-faint">Attempts</dt>
        <dd className="num">{row.attempts}</dd>
        {row.error !== null && (
          <>
            <dt className="text-faint">Last error</dt>
            <dd className="text-block wrap-anywhere">{row.error}</dd>
          </>
        )}
      </dl>
      <Loaded query={detail} pending={<Skeleton className="h-28" />}>
        {({ body }) =>
          body === null ? (
            <p className="text-soft">The validation of this event was erased, or is older than the log.</p>
          ) : (
            <CodeBlock code={pretty(body)} label="payload" />
          )
        }
      </Loaded>
      {mayChange && (
        <div>
          <Button small busy={resend.isPending} onClick={() => resend.mutate()}>
            Send again
          </Button>
        </div>
      )}
    </div>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
