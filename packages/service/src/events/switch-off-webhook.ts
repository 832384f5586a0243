import type { AuditAction } from '@postern/contract/dashboard';
import { hasRole, roleIn } from '@postern/contract/dashboard';
import type { Log } from '../log.ts';
import { type Store, StoreConflict } from '../store/store.ts';
import type { Webhook } from '../store/tables/webhook-table.ts';
import type { MailSender } from './send-mail.ts';

export interface SwitchOffParts {
  readonly store: Pick<Store, 'events' | 'commit' | 'members'>;
  readonly mail: MailSender | undefined;
  readonly publicUrl: string | undefined;
  readonly log: Log;
}

/** Switches a webhook off whose receiver does not work, and notifies those who can repair it. The first caller does it. */
export async function switchOffWebhook(
  parts: SwitchOffParts,
  webhook: Webhook,
  now: number,
  reason: string,
): Promise<void> {
  const { store, log } = parts;
  const { projectId, id } = webhook;
  const host = receiverOf(webhook);
  const detail = { ...auditedName(webhook), host, reason };
  const action: AuditAction = 'webhook.disable';
  const note = { at: now, actor: 'service', action, projectId, detail };
  try {
    await store.commit(store.events.webhooks.disable(webhook, now), [note]);
  } catch (error) {
    if (error instanceof StoreConflict) return;
    throw error;
  }
  log.warn({ project: projectId, webhook: id, host }, `webhook switched off: ${reason}`);
  await mailMembers(parts, webhook, reason);
}

/** Without an SMTP server the dashboard alone says it, on every page of the project. */
async function mailMembers(
  { store, mail, publicUrl, log }: SwitchOffParts,
  webhook: Webhook,
  reason: string,
): Promise<void> {
  if (mail === undefined) return;
  const { projectId, id, name } = webhook;
  const page = publicUrl === undefined ? '' : `${publicUrl}/dashboard/projects/${projectId}/webhooks\n`;
  const text = `The webhook ${name ?? id} of project ${projectId} to ${receiverOf(webhook)} is switched off: ${reason}.

Its events are not sent any more. Deliveries that were not finished wait. Repair the receiver, then switch the webhook on
in the dashboard under Webhooks, or with: npx postern api 'PATCH /webhooks/${id}' --body '{"paused": false}'
${page}`;
  const subject = `Postern switched off a webhook of project ${projectId}`;
  for (const member of await store.members.list()) {
    if (!hasRole(roleIn(member, projectId), 'admin')) continue;
    await mail
      .send({ to: member.email, subject, text })
      .catch((fault: unknown) => log.warn({ err: fault }, 'could not mail that a webhook is switched off'));
  }
}

/** Names a webhook in the audit log. */
export const auditedName = ({ id, name }: Webhook) => ({ webhookId: id, ...(name !== null && { name }) });

/** The URL without what may not be told: a path can contain a secret, and a mail address names a person. */
export function receiverOf({ url }: Webhook): string {
  const { host, pathname } = new URL(url);
  return host === '' ? `mail at ${pathname.split('@').at(-1)}` : host;
}
