import { isDeepStrictEqual } from 'node:util';
import type { Webhook } from '../../store/tables/webhook-table.ts';
import { type Administration, InvalidInput } from '../administration.ts';
import type { Change } from '../perform.ts';
import {
  MAX_WEBHOOKS,
  newWebhook,
  webhookCreation,
  webhookRemoval,
  webhookRotation,
  webhookUpdate,
} from '../webhooks.ts';
import type { Difference } from './differences.ts';
import { type GivenWebhook, hiddenUrl, type ShownWebhook } from './webhook-url.ts';

interface WebhookPlan {
  readonly before: readonly ShownWebhook[];
  readonly after: readonly ShownWebhook[];
  readonly changes: readonly Change<unknown>[];
  readonly issued: readonly Webhook[];
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
  const left = [...current];
  const before: ShownWebhook[] = [];
  const after: ShownWebhook[] = [];
  const changes: Change<unknown>[] = [];
  const issued: Webhook[] = [];
  const differences: Difference[] = [];
  const names = new Set<string>();
  for (const webhook of given) {
    const { settings, written, kept, secret } = webhook;
    const index = left.findIndex(({ id, url }) => (kept === undefined ? url === settings.url : id === kept));
    const [old] = index === -1 ? [] : left.splice(index, 1);
    if (old === undefined && kept !== undefined)
      throw new InvalidInput(
        'webhooks',
        `${written} stands for a webhook that project '${projectId}' does not have. Write its URL, or \${CHAT_WEBHOOK_URL} to take it from the environment.`,
      );
    const shown = unusedName(written, names);
    const wanted = { ...settings, ...(kept !== undefined && { url: old?.url ?? '' }) };
    after.push({ ...wanted, shown });
    if (old === undefined) {
      const made = newWebhook(admin, projectId, wanted, secret);
      changes.push(webhookCreation(admin, made));
      if (secret === undefined) issued.push({ ...made, url: shown });
      continue;
    }
    before.push({ ...old, shown });
    const next = { ...old, ...wanted };
    if (!isDeepStrictEqual(old, next)) changes.push(webhookUpdate(admin, next));
    if (secret !== undefined && secret !== old.secret) {
      changes.push(webhookRotation(admin, old, secret));
      const path = `webhooks.${shown}.secret`;
      differences.push({ project: projectId, path, before: '…', after: 'a new secret' });
    }
  }
  for (const old of left) {
    const other = { ...old, shown: unusedName(hiddenUrl(old), names) };
    before.push(other);
    if (prune) changes.push(webhookRemoval(admin, old));
    else after.push(other);
  }
  if (after.length > MAX_WEBHOOKS)
    throw new InvalidInput(
      'webhooks',
      `A project has at most ${MAX_WEBHOOKS} webhooks; got ${after.length}.`,
    );
  return { before, after, changes, issued, differences };
}

/** With a number if several webhooks have the same one. */
function unusedName(name: string, names: Set<string>): string {
  let unused = name;
  for (let number = 2; names.has(unused); number += 1) unused = `${name} (${number})`;
  names.add(unused);
  return unused;
}
