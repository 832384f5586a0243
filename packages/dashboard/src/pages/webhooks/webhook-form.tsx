import {
  SIGNALS,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_EVENTS,
  WEBHOOK_NAME_LENGTH,
  type WebhookEvent,
  type WebhookFilter,
  type WebhookFormat,
} from '@postern/contract';
import type { NewWebhookRequest, WebhookView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Choice } from '../../components/choice.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useSettled } from '../../components/use-settled.ts';
import { SeveralFilter } from '../validations/several-filter.tsx';

interface WebhookFormProps {
  projectId: string;
  title: string;
  action: string;
  /** The webhook that is changed; none for a new one. */
  webhook?: WebhookView;
  busy: boolean;
  error: string | undefined;
  onSubmit: (request: NewWebhookRequest) => void;
  onClose: () => void;
}

const FORMAT_NAMES: Record<WebhookFormat, string> = {
  standard: 'Signed JSON',
  slack: 'Slack',
  discord: 'Discord',
  email: 'Mail',
};

/** A ping is sent to a webhook when a member asks for it, whatever it is subscribed to. */
const EVENTS = WEBHOOK_EVENT_NAMES.filter((name) => name !== 'test.ping');
const SIGNAL_NAMES = Object.keys(SIGNALS).map((name) => [name, name] as const);

/** Where events are sent, which ones, and which of those. */
export function WebhookForm(props: WebhookFormProps) {
  const { projectId, title, action, webhook, busy, error, onSubmit, onClose } = props;
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [format, setFormat] = useState(webhook?.format ?? 'standard');
  const [events, setEvents] = useState<ReadonlySet<WebhookEvent>>(new Set(webhook?.events ?? EVENTS));
  const [signals, setSignals] = useState(webhook?.filter.signals?.join(',') ?? '');
  const mail = url.trim().startsWith('mailto:');
  const chosen = EVENTS.filter((name) => events.has(name));
  const aboutValidations = chosen.some((name) => name.startsWith('validation.'));
  const submit = () => {
    const filter: WebhookFilter = {
      // A signal that was marked as unwanted is not wanted either.
      ...(signals !== '' && { signals: signals.split(',').filter((name) => !name.startsWith('!')) }),
    };
    // Without names it gets all events, those of later versions too.
    const all = chosen.length === EVENTS.length;
    onSubmit({
      name: name.trim() || null,
      url: url.trim(),
      ...(all ? { events: [] } : { events: chosen }),
      ...(!mail && format !== 'email' && { format }),
      filter,
    });
  };
  const toggle = (name: WebhookEvent) => {
    const next = new Set(events);
    if (!next.delete(name)) next.add(name);
    setEvents(next);
  };
  return (
    <FormDialog
      title={title}
      action={action}
      busy={busy}
      disabled={chosen.length === 0}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Optional. It tells webhooks of one URL apart, here and in the audit log."
        autoComplete="off"
        maxLength={WEBHOOK_NAME_LENGTH}
        value={name}
        onChange={setName}
      />
      <TextField
        label="URL"
        hint="https://… or mailto:ops@example.com, where the operator has set up mail. Private addresses are refused unless the operator allows them."
        required
        autoComplete="off"
        placeholder="https://shop.example/hooks/postern"
        value={url}
        onChange={setUrl}
      />
      <PrivateTarget projectId={projectId} url={url.trim()} />
      {!mail && format !== 'email' && (
        <Choice label="Format" value={format} options={FORMAT_NAMES} onChange={setFormat} />
      )}
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
      {aboutValidations && (
        <fieldset className="grid justify-start gap-1.5">
          <legend className="mb-1.5 text-[0.8667rem] font-medium">Only validations with one of these</legend>
          <SeveralFilter
            label="Signals"
            any="Any signal"
            value={signals === '' ? undefined : signals}
            options={SIGNAL_NAMES}
            onChange={setSignals}
          />
        </fieldset>
      )}
    </FormDialog>
  );
}

const ASKED_AFTER_MS = 400;

/** Nothing is delivered to a private address. Without this, members would learn it from the failed deliveries. */
function PrivateTarget({ projectId, url }: { projectId: string; url: string }) {
  const settled = useSettled(url, ASKED_AFTER_MS);
  const isUrl = /^https?:/.test(settled) && URL.canParse(settled);
  const { data } = useQuery({
    queryKey: ['webhook-target', projectId, settled],
    queryFn: () => api('POST /projects/:id/webhook-target', { id: projectId }, { body: { url: settled } }),
    enabled: isUrl,
    // A warning that cannot be given is no reason to ask again and again.
    retry: false,
  });
  if (!isUrl || settled !== url || data?.refused !== true) return null;
  return (
    <Notice kind="warn">
      {new URL(settled).hostname} has only private or reserved addresses. You can save it, but nothing is
      delivered there until the operator adds its range to <code>POSTERN_WEBHOOK_ALLOW</code>.
    </Notice>
  );
}
