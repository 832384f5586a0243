import type { AuditAction } from '@postern/contract/dashboard';
import { type Administration, InvalidInput } from '../../administration/administration.ts';
import type { WebhookWrite } from '../../store/tables/configuration-writes.ts';
import type { Webhook } from '../../store/tables/webhook-table.ts';
import { auditedWebhook, MAX_WEBHOOKS, newWebhook, ROTATION_MS, type WebhookSettings } from '../webhooks.ts';
import { type Difference, namedWebhooks } from './differences.ts';
import type { GivenWebhook } from './read-document.ts';

type AuditedDeed = readonly [action: AuditAction, detail: Readonly<Record<string, unknown>>];

interface WebhookPlan {
  /** All webhooks afterwards. */
  readonly wanted: readonly WebhookSettings[];
  readonly writes: readonly WebhookWrite[];
  readonly issued: readonly Webhook[];
  readonly audited: readonly AuditedDeed[];
  /** Changed secrets, which the settings do not show. */
  readonly differences: readonly Difference[];
}

/** How the webhooks become those of a document. One is recognised by its URL. */
export function planWebhooks(
  admin: Administration,
  projectId: string,
  current: readonly Webhook[],
  given: readonly GivenWebhook[],
  prune: boolean,
): WebhookPlan {
  const [known, named] = [namedWebhooks(current), namedWebhooks(given)];
  const wanted: WebhookSettings[] = [];
  const writes: WebhookWrite[] = [];
  const issued: Webhook[] = [];
  const audited: AuditedDeed[] = [];
  const differences: Difference[] = [];
  for (const [name, webhook] of named) {
    const { url, events, format, filter, secret } = webhook;
    const settings = { url, events, format, filter };
    wanted.push(settings);
    const old = known.get(name);
    if (old === undefined) {
      const created = newWebhook(admin, projectId, settings, secret);
      writes.push({ create: created });
      audited.push(['webhook.create', auditedWebhook(created)]);
      if (secret === undefined) issued.push(created);
      continue;
    }
    if (JSON.stringify([old.events, old.format, old.filter]) !== JSON.stringify([events, format, filter])) {
      writes.push({ update: { ...old, ...settings } });
      audited.push(['webhook.update', auditedWebhook({ ...old, ...settings })]);
    }
    if (secret !== undefined && secret !== old.secret) {
      writes.push({ rotate: { id: old.id, secret, previousUntil: admin.now() + ROTATION_MS } });
      audited.push(['webhook.rotate', { webhookId: old.id }]);
      differences.push({
        project: projectId,
        path: `webhooks.${name}.secret`,
        before: '…',
        after: 'a new secret',
      });
    }
  }
  for (const [name, old] of known) {
    if (named.has(name)) continue;
    if (prune) {
      writes.push({ remove: old.id });
      audited.push(['webhook.delete', auditedWebhook(old)]);
    } else wanted.push(old);
  }
  if (wanted.length > MAX_WEBHOOKS)
    throw new InvalidInput(
      'webhooks',
      `A project has at most ${MAX_WEBHOOKS} webhooks; got ${wanted.length}.`,
    );
  return { wanted, writes, issued, audited, differences };
}
