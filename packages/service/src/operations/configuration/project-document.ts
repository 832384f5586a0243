import { CHECK_NAMES, POLICY_SIGNALS } from '@postern/contract';
import {
  fieldRows,
  type ListEntry,
  PROJECT_FIELDS,
  type ProjectSettings,
} from '@postern/contract/project-fields';
import type { Webhook } from '../../store/tables/webhook-table.ts';
import type { WebhookSettings } from '../webhooks.ts';
import { exportedUrl } from './webhook-url.ts';

/** Everything of a project that a document can say. */
export interface ProjectState extends ProjectSettings {
  readonly archived: boolean;
  readonly webhooks: readonly (WebhookSettings & Partial<Pick<Webhook, 'id'>>)[];
}

/** A project as `postern config export` writes it, and as `postern apply` reads it. */
export function projectDocument(id: string, state: ProjectState): Record<string, unknown> {
  const { policy, rules, namedLists, webhooks, archived } = state;
  const settings = fieldRows(PROJECT_FIELDS).map(([name, field]) => [
    name,
    field.kind === 'list' ? state[name as 'allowList'].map(entryDocument) : state[name],
  ]);
  return {
    project: id,
    ...(archived && { archived }),
    ...Object.fromEntries(settings),
    policy: {
      ...policy,
      actions: withOff(CHECK_NAMES, policy.actions),
      signals: withOff(POLICY_SIGNALS, policy.signals),
    },
    rules: rules.map(({ createdAt: _new, changedAt: _at, changedBy: _by, expiresAt, ...rule }) => ({
      ...rule,
      ...end(expiresAt),
    })),
    namedLists: Object.fromEntries(
      Object.entries(namedLists).map(([name, entries]) => [name, entries.map(entryDocument)]),
    ),
    webhooks: webhooks.map((webhook) => ({
      ...(webhook.name !== null && { name: webhook.name }),
      url: exportedUrl(webhook),
      events: webhook.events,
      ...(webhook.format !== 'email' && { format: webhook.format }),
      ...(Object.keys(webhook.filter).length > 0 && { filter: webhook.filter }),
    })),
  };
}

function withOff(names: readonly string[], actions: Readonly<Record<string, string>>) {
  return Object.fromEntries(names.map((name) => [name, actions[name] ?? 'off']));
}

function entryDocument({ value, note, flag, expiresAt }: ListEntry): unknown {
  if (note === undefined && flag === undefined && expiresAt === undefined) return value;
  return { value, ...(note !== undefined && { note }), ...(flag && { flag }), ...end(expiresAt) };
}

function end(expiresAt: number | undefined): { readonly expiresAt?: string | number } {
  if (expiresAt === undefined) return {};
  // A time beyond the calendar’s end stays a number.
  const date = new Date(expiresAt);
  return {
    expiresAt: Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? expiresAt : date.toISOString(),
  };
}
