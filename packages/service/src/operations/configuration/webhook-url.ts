import { ENVIRONMENT_REFERENCE } from '@postern/contract/configuration';
import type { Webhook } from '../../store/tables/webhook-table.ts';
import { InvalidInput } from '../administration.ts';
import type { WebhookSettings } from '../webhooks.ts';

export interface GivenWebhook {
  readonly settings: WebhookSettings;
  /** What is shown of its URL: as the file has it, and only the host if the environment has a part of it. */
  readonly written: string;
  /** The ID of the webhook that a hidden URL stands for. */
  readonly kept: string | undefined;
  readonly secret: string | undefined;
}

/** A webhook in a list of differences, under a name that says nothing secret. */
export interface ShownWebhook extends WebhookSettings {
  readonly shown: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The URL of a chat channel is enough to write into it. */
const CHATS: readonly string[] = ['slack', 'discord'];

/** The URL without its path and query, which may be secret. The ID says which webhook it is. */
export function hiddenUrl({ id, url }: Pick<Webhook, 'id' | 'url'>): string {
  return `${originOf(url)}/… (${id})`;
}

export function exportedUrl(webhook: WebhookSettings & Partial<Pick<Webhook, 'id'>>): string {
  const { id, url, format } = webhook;
  return id !== undefined && CHATS.includes(format) ? hiddenUrl({ id, url }) : url;
}

/** The ID in a URL that `hiddenUrl` wrote. */
export function idInHiddenUrl(url: string): string | undefined {
  return /^https?:\/\/[^/\s]+\/… \((wh_[a-z0-9]+)\)$/.exec(url)?.[1];
}

export function shownUrl(written: string, url: string): string {
  return written.replace(ENVIRONMENT_REFERENCE, '') === written ? written : `${originOf(url)}/…`;
}

function originOf(url: string): string {
  const { origin, protocol } = new URL(url);
  return origin === 'null' ? protocol : origin;
}

/**
 * The text with each `${NAME}` replaced. Only variables with WEBHOOK in their name count: the author of a file must
 * not read the rest of the environment by it, least of all the service’s own settings.
 */
export function filledIn(text: string, field: string, environment: Environment): string {
  return text.replace(ENVIRONMENT_REFERENCE, (_, name: string) => {
    if (!name.includes('WEBHOOK') || name.startsWith('POSTERN_'))
      throw new InvalidInput(
        field,
        `\${${name}}: only variables with WEBHOOK in their name can be used, such as SHOP_WEBHOOK_SECRET, and none that begins with POSTERN_.`,
      );
    const value = environment[name];
    if (value === undefined || value === '')
      throw new InvalidInput(field, `The environment variable ${name} is not set.`);
    return value;
  });
}
