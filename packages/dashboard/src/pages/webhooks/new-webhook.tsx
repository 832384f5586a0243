import {
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
  type WebhookEvent,
  type WebhookFormat,
} from '@postern/contract';
import type { NewWebhookRequest, NewWebhookView } from '@postern/contract/dashboard';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';

interface NewWebhookProps {
  projectId: string;
  onClose: () => void;
  onMade: (webhook: NewWebhookView) => void;
}

const FORMAT_NAMES: Record<WebhookFormat, string> = {
  standard: 'Signed JSON',
  slack: 'Slack',
  discord: 'Discord',
  email: 'Mail',
};
const FORMATS = WEBHOOK_FORMATS.map((value) => ({ value, label: FORMAT_NAMES[value] }));

/** A ping is sent to a webhook when somebody asks for it, whatever it is subscribed to. */
const EVENTS = WEBHOOK_EVENT_NAMES.filter((name) => name !== 'test.ping');

export function NewWebhook({ projectId, onClose, onMade }: NewWebhookProps) {
  const [url, setUrl] = useState('');
  const [format, setFormat] = useState<(typeof WEBHOOK_FORMATS)[number]>('standard');
  const [events, setEvents] = useState<ReadonlySet<WebhookEvent>>(new Set(EVENTS));
  const mail = url.trim().startsWith('mailto:');
  const create = useChange({
    inline: true,
    send: (body: NewWebhookRequest) => api('POST /projects/:id/webhooks', { id: projectId }, { body }),
    invalidates: [['webhooks', projectId]],
    onDone: onMade,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Without names it gets all events, those of later versions too.
    const all = events.size === EVENTS.length;
    create.mutate({ url: url.trim(), ...(!all && { events: [...events] }), ...(!mail && { format }) });
  };
  const toggle = (name: WebhookEvent) => {
    const next = new Set(events);
    if (!next.delete(name)) next.add(name);
    setEvents(next);
  };
  return (
    <Modal title="New webhook" onClose={onClose}>
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        <TextField
          label="URL"
          hint="https://… or mailto:ops@example.com, where the operator has set up mail. Private addresses are refused unless the operator allows them."
          required
          autoComplete="off"
          placeholder="https://shop.example/hooks/postern"
          value={url}
          onChange={setUrl}
        />
        {!mail && <Choice label="Format" value={format} options={FORMATS} onChange={setFormat} />}
        <fieldset className="grid gap-1.5">
          <legend className="mb-1.5 text-[0.8667rem] font-medium">Events</legend>
          {EVENTS.map((name) => (
            <label key={name} className="flex items-start gap-2.5 text-[0.9rem]">
              <input
                type="checkbox"
                className="mt-1 accent-accent"
                checked={events.has(name)}
                onChange={() => toggle(name)}
              />
              <span className="min-w-0">
                <code className="font-mono text-[0.8333rem]">{name}</code>
                <span className="block text-[0.8333rem] text-faint">
                  {WEBHOOK_EVENTS[name].when.replaceAll('`', '')}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        {create.error !== null && <Notice kind="bad">{create.error.message}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={create.isPending} disabled={events.size === 0}>
            Create the webhook
          </Button>
        </div>
      </form>
    </Modal>
  );
}
