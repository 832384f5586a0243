import {
  DAY_MS,
  namesOfEvents,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_FORMATS,
  type WebhookEvent,
  type WebhookEvents,
  type WebhookFilter,
  type WebhookFormat,
} from '@postern/contract';
import { contentOf } from '../events/deliver-webhooks.ts';
import { bodyOf, payloadOf } from '../events/webhook-body.ts';
import { newWebhookSecret } from '../events/webhook-signature.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { Delivery } from '../store/tables/delivery-table.ts';
import type { Webhook } from '../store/tables/webhook-table.ts';
import { type Administration, audit, InvalidInput, NotFound, quoted, randomId } from './administration.ts';
import { findProject } from './projects.ts';

export interface NewWebhookFields {
  readonly projectId: string;
  readonly url: unknown;
  /** If absent or empty, all events. */
  readonly events?: unknown;
  readonly format?: unknown;
  readonly filter?: unknown;
}

/** For one day the old secret signs together with the new one, so that receivers can switch. */
export const ROTATION_MS = DAY_MS;
const MAX_URL_LENGTH = 2_000;
export const MAX_WEBHOOKS = 20;
const ID_LENGTH = 16;
const MAILTO = 'mailto:';

export async function createWebhook(admin: Administration, fields: NewWebhookFields): Promise<Webhook> {
  const project = await findProject(admin, fields.projectId);
  const { webhooks } = admin.store.events;
  if ((await webhooks.list(project.id)).length >= MAX_WEBHOOKS)
    throw new InvalidInput('project', `A project has at most ${MAX_WEBHOOKS} webhooks. Delete one first.`);
  const webhook = newWebhook(admin, project.id, readWebhook(fields));
  await webhooks.create(webhook);
  await audit(admin, 'webhook.create', project.id, auditedWebhook(webhook));
  return webhook;
}

/** What people set of a webhook. */
export type WebhookSettings = Pick<Webhook, 'url' | 'events' | 'format' | 'filter'>;

export function readWebhook(fields: Omit<NewWebhookFields, 'projectId'>): WebhookSettings {
  const url = readUrl(fields.url);
  const byMail = url.startsWith(MAILTO);
  return {
    url,
    events: readEvents(fields.events, byMail),
    format: byMail ? 'email' : readFormat(fields.format),
    filter: readFilter(fields.filter),
  };
}

export function newWebhook(
  admin: Pick<Administration, 'now' | 'randomBytes'>,
  projectId: string,
  settings: WebhookSettings,
  secret = newWebhookSecret(admin.randomBytes),
): Webhook {
  return {
    ...settings,
    projectId,
    id: randomId('wh_', ID_LENGTH, admin.randomBytes),
    secret,
    previousSecret: null,
    previousUntil: null,
    createdAt: admin.now(),
    failingSince: null,
    disabledAt: null,
  };
}

/** A webhook in a form for the audit log. */
export function auditedWebhook(webhook: Webhook): Record<string, unknown> {
  const { id, format } = webhook;
  return { webhookId: id, host: hostOf(webhook), events: namesOfEvents(webhook.events), format };
}

export async function listWebhooks(admin: Administration, projectId?: string): Promise<Webhook[]> {
  if (projectId !== undefined) await findProject(admin, projectId);
  return admin.store.events.webhooks.list(projectId);
}

async function findWebhook(admin: Administration, id: string): Promise<Webhook> {
  const webhook = await admin.store.events.webhooks.find(id);
  if (webhook === undefined) throw new NotFound(`There is no webhook ${quoted(id)}.`);
  return webhook;
}

export async function deleteWebhook(admin: Administration, id: string): Promise<Webhook> {
  const webhook = await findWebhook(admin, id);
  await admin.store.events.webhooks.remove(webhook.projectId, id);
  await audit(admin, 'webhook.delete', webhook.projectId, { webhookId: id, host: hostOf(webhook) });
  return webhook;
}

/** Creates a new secret. The old one also signs for another day. */
export async function rotateWebhook(admin: Administration, id: string): Promise<Webhook> {
  const { projectId } = await findWebhook(admin, id);
  const secret = newWebhookSecret(admin.randomBytes);
  await admin.store.events.webhooks.rotate(projectId, id, secret, admin.now() + ROTATION_MS);
  await audit(admin, 'webhook.rotate', projectId, { webhookId: id });
  return findWebhook(admin, id);
}

/** Changes the named settings of a webhook, and pauses it or sends again. */
export async function changeWebhook(
  admin: Administration,
  id: string,
  { paused, ...fields }: Partial<Omit<NewWebhookFields, 'projectId'>> & { readonly paused?: unknown },
): Promise<Webhook> {
  const webhook = await findWebhook(admin, id);
  const { projectId, url, events, format, filter } = webhook;
  if (paused !== undefined && typeof paused !== 'boolean')
    throw new InvalidInput('paused', 'paused must be true or false.');
  const { webhooks } = admin.store.events;
  if (Object.keys(fields).length > 0) {
    const old = { url, events: events === '*' ? [] : events, filter, ...(format !== 'email' && { format }) };
    const changed = { ...webhook, ...readWebhook({ ...old, ...fields }) };
    await webhooks.update(changed);
    await audit(admin, 'webhook.update', projectId, auditedWebhook(changed));
  }
  if (paused === true && webhook.disabledAt === null) {
    await webhooks.pause(projectId, id, admin.now());
    await audit(admin, 'webhook.pause', projectId, { webhookId: id });
  }
  if (paused === false && webhook.disabledAt !== null) await enableWebhook(admin, id);
  return findWebhook(admin, id);
}

/** Re-enables a webhook that was disabled after failing for too long. */
export async function enableWebhook(admin: Administration, id: string): Promise<Webhook> {
  const { projectId } = await findWebhook(admin, id);
  await admin.store.events.webhooks.enable(projectId, id);
  await audit(admin, 'webhook.enable', projectId, { webhookId: id });
  return findWebhook(admin, id);
}

/** Puts a `test.ping` into the outbox. Returns its event ID. */
export async function pingWebhook(admin: Administration, id: string): Promise<string> {
  const { projectId } = await findWebhook(admin, id);
  const eventId = randomId('test.ping-', ID_LENGTH, admin.randomBytes);
  await admin.store.events.add({
    projectId,
    id: eventId,
    type: 'test.ping',
    at: admin.now(),
    logId: null,
    data: { message: `Postern can reach this channel for project ${projectId}.` },
    onlyWebhook: id,
  });
  return eventId;
}

export async function listDeliveries(
  admin: Administration,
  webhookId: string,
  limit: number,
  before: string | null = null,
): Promise<Delivery[]> {
  const { projectId } = await findWebhook(admin, webhookId);
  return admin.store.events.deliveries.page(projectId, webhookId, limit, before);
}

/** Where a delivery is stored. It is found by its key, because there can be millions. */
export interface DeliveryPlace {
  readonly projectId: string;
  readonly webhookId: string;
  readonly id: string;
}

/** Where the delivery with this ID is: the ID ends with the webhook’s. */
export async function placeOfDelivery(admin: Administration, id: string): Promise<DeliveryPlace> {
  const webhookId = id.slice(id.lastIndexOf('-') + 1);
  const webhook = await admin.store.events.webhooks.find(webhookId);
  if (webhook === undefined) throw noDelivery(id);
  return { projectId: webhook.projectId, webhookId, id };
}

async function findDelivery(
  admin: Administration,
  { projectId, webhookId, id }: DeliveryPlace,
): Promise<Delivery> {
  const delivery = await admin.store.events.deliveries.find(projectId, id);
  if (delivery === undefined || delivery.webhookId !== webhookId) throw noDelivery(id);
  return delivery;
}

function noDelivery(id: string): NotFound {
  return new NotFound(`There is no delivery ${quoted(id)}.`);
}

/** A delivery with its body, rebuilt from the data that it is about. `null` if that data is gone. */
export async function deliveryBody(
  admin: Administration,
  place: DeliveryPlace,
): Promise<{ delivery: Delivery; body: string | null }> {
  const delivery = await findDelivery(admin, place);
  const { format } = await findWebhook(admin, delivery.webhookId);
  const payload = payloadOf(delivery, await contentOf(admin.store, delivery));
  return { delivery, body: payload === undefined ? null : bodyOf(payload, format) };
}

export async function resendDelivery(admin: Administration, place: DeliveryPlace): Promise<Delivery> {
  const delivery = await findDelivery(admin, place);
  await admin.store.events.deliveries.resend(delivery.projectId, delivery.id);
  await audit(admin, 'webhook.resend', delivery.projectId, {
    webhookId: delivery.webhookId,
    type: delivery.type,
  });
  return { ...delivery, state: 'pending', attempts: 0, nextAt: 0, doneAt: null };
}

/** The URL in a form for the audit log: a path can contain a secret, and a mail address names a person. */
function hostOf({ url }: Pick<Webhook, 'url'>): string {
  const { host, pathname } = new URL(url);
  return host === '' ? `mail to ***@${pathname.split('@').at(-1)}` : host;
}

function readUrl(url: unknown): string {
  const text = typeof url === 'string' ? url.trim() : '';
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed?.protocol === MAILTO) {
    const address = parseEmailAddress(decoded(parsed.pathname));
    if (address === undefined || parsed.search !== '')
      throw new InvalidInput('url', `${quoted(url)} is not mailto: and one address.`);
    return `${MAILTO}${encodeURIComponent(address.normalized).replaceAll('%40', '@')}`;
  }
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:'))
    throw new InvalidInput(
      'url',
      `${quoted(url)} is not an http or https URL, and not mailto: and an address.`,
    );
  if (parsed.username !== '' || parsed.password !== '')
    throw new InvalidInput(
      'url',
      'The URL must not hold a user name or a password; check the signature instead.',
    );
  if (text.length > MAX_URL_LENGTH)
    throw new InvalidInput('url', `The URL must be at most ${MAX_URL_LENGTH} characters.`);
  parsed.hash = '';
  return parsed.href;
}

/** Empty if the text has a `%` that stands for nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Strangers with a client key decide how many validations there are, so nobody gets a mail for each unasked. */
const MAILED_BY_DEFAULT = WEBHOOK_EVENT_NAMES.filter((name) => !name.startsWith('validation.'));

function readEvents(events: unknown, byMail: boolean): WebhookEvents {
  const all: WebhookEvents = byMail ? MAILED_BY_DEFAULT : '*';
  if (events === undefined || events === null) return all;
  if (events === '*') return '*';
  if (!Array.isArray(events)) throw new InvalidInput('events', 'events must be a list of event names.');
  if (events.length === 0) return all;
  return WEBHOOK_EVENT_NAMES.filter((name) => {
    const stranger = events.find((event) => !WEBHOOK_EVENT_NAMES.includes(event as WebhookEvent));
    if (stranger !== undefined)
      throw new InvalidInput(
        'events',
        `${quoted(stranger)} is not an event. Possible: ${WEBHOOK_EVENT_NAMES.join(', ')}.`,
      );
    return events.includes(name);
  });
}

const MAX_FILTER_SIGNALS = 50;

function readFilter(filter: unknown): WebhookFilter {
  if (filter === undefined || filter === null) return {};
  if (typeof filter !== 'object' || Array.isArray(filter))
    throw new InvalidInput('filter', 'filter must be an object with signals and surgeAtLeast.');
  const { signals, surgeAtLeast, ...others } = filter as Record<string, unknown>;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined)
    throw new InvalidInput('filter', `${quoted(stranger)} is not a filter. Possible: signals, surgeAtLeast.`);
  const named = Array.isArray(signals) ? signals : [];
  if (signals !== undefined && (!Array.isArray(signals) || !named.every((name) => typeof name === 'string')))
    throw new InvalidInput('filter', 'signals must be a list of names of signals.');
  if (named.length > MAX_FILTER_SIGNALS)
    throw new InvalidInput('filter', `signals takes at most ${MAX_FILTER_SIGNALS} names.`);
  if (surgeAtLeast !== undefined && !(Number.isSafeInteger(surgeAtLeast) && Number(surgeAtLeast) >= 0))
    throw new InvalidInput('filter', 'surgeAtLeast must be a whole number from 0.');
  return {
    ...(named.length > 0 && { signals: named.map((name) => String(name).slice(0, 100)) }),
    ...(Number(surgeAtLeast ?? 0) > 0 && { surgeAtLeast: Number(surgeAtLeast) }),
  };
}

function readFormat(format: unknown): WebhookFormat {
  if (format === undefined || format === null) return 'standard';
  const found = WEBHOOK_FORMATS.find((one) => one === format);
  if (found === undefined)
    throw new InvalidInput('format', `format must be one of ${WEBHOOK_FORMATS.join(', ')}.`);
  return found;
}
