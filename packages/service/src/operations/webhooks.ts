import {
  DAY_MS,
  MOST_COUNTED_DELIVERIES,
  namesOfEvents,
  WEBHOOK_EVENT_NAMES,
  type WebhookEvent,
  type WebhookEvents,
} from '@postern/contract';
import {
  type DeliveryView,
  hasRole,
  type NewWebhookRequest,
  type NewWebhookView,
  roleIn,
  type WebhookChangeRequest,
  type WebhookView,
} from '@postern/contract/dashboard';
import { contentOf } from '../events/deliver-webhooks.ts';
import { auditedName, receiverOf } from '../events/switch-off-webhook.ts';
import { bodyOf, payloadOf } from '../events/webhook-body.ts';
import { newWebhookSecret } from '../events/webhook-signature.ts';
import { pageOf } from '../model/page.ts';
import { type Delivery, PAUSED } from '../store/tables/delivery-table.ts';
import type { MemberRow } from '../store/tables/member-row.ts';
import type { Webhook } from '../store/tables/webhook-table.ts';
import { type Administration, InvalidInput, NotFound, quoted, randomId } from './administration.ts';
import { findProject } from './change-project.ts';
import {
  created,
  type DashboardCall,
  type DashboardHandlers,
  memberOf,
  NO_CONTENT,
  ok,
  queryId,
  queryNumber,
  queryText,
  type RouteCall,
} from './operation.ts';
import type { Change, Note } from './perform.ts';
import { addressIn, MAILTO } from './value-forms.ts';

/** For one day the old secret signs together with the new one, so that receivers can switch. */
const ROTATION_MS = DAY_MS;
export const MAX_WEBHOOKS = 20;
const ID_LENGTH = 16;
const ROWS = 50;
const MAX_ROWS = 200;

export interface WebhookParts {
  /** Whether webhooks are kept from every address of the URL’s host. */
  readonly isRefusedTarget: (url: string) => Promise<boolean>;
  readonly limitMember: (memberId: string) => void;
}

export const webhookOperations = {
  'GET /projects/:id/webhooks': async ({ admin, params, member }) => {
    const { id } = await findProject(admin, params.id);
    const { webhooks, deliveries } = admin.store.events;
    const views = (await webhooks.list(id)).map(async (webhook) => {
      const [lastDay, [last]] = await Promise.all([
        deliveries.countStates(id, webhook.id, admin.now() - DAY_MS, MOST_COUNTED_DELIVERIES),
        deliveries.page(id, webhook.id, 1, null),
      ]);
      return { ...webhookView(webhook, member), lastDay, lastDelivery: last ? deliveryView(last) : null };
    });
    return ok(await Promise.all(views));
  },
  'POST /projects/:id/webhooks': async ({ admin, params, body }) => {
    const { id } = await findProject(admin, params.id);
    if ((await admin.store.events.webhooks.list(id)).length >= MAX_WEBHOOKS)
      throw new InvalidInput('project', `A project has at most ${MAX_WEBHOOKS} webhooks. Delete one first.`);
    const webhook = newWebhook(admin, id, readWebhook(body));
    return { ...webhookCreation(admin, webhook), answer: created(issuedView(webhook)) };
  },
  'PATCH /webhooks/:webhookId': async ({ admin, params, body }) => {
    const before = await findWebhook(admin, params.webhookId);
    const { paused, ...fields } = body;
    const { webhooks } = admin.store.events;
    const settings = Object.keys(fields).length > 0 ? readWebhook(fields, before) : undefined;
    const wasPaused = before.disabledAt !== null;
    const after: Webhook = {
      ...before,
      ...settings,
      ...(paused === true && !wasPaused && { disabledAt: admin.now(), failingSince: null }),
      ...(paused === false && { disabledAt: null, failingSince: null }),
    };
    const pauses = paused === true && !wasPaused;
    const resumes = paused === false && wasPaused;
    return {
      write: [
        ...(settings === undefined ? [] : webhooks.update(after)),
        ...(pauses ? webhooks.pause(before, admin.now()) : []),
        ...(resumes ? webhooks.enable(before) : []),
      ],
      note: [
        ...(settings === undefined ? [] : [webhookNote('webhook.update', after)]),
        ...(pauses ? [briefNote('webhook.pause', before)] : []),
        ...(resumes ? [briefNote('webhook.enable', before)] : []),
      ],
      answer: ok(webhookView(after)),
    };
  },
  'DELETE /webhooks/:webhookId': async ({ admin, params }) => {
    const webhook = await findWebhook(admin, params.webhookId);
    return { ...webhookRemoval(admin, webhook), answer: NO_CONTENT };
  },
  'POST /webhooks/:webhookId/rotate': async ({ admin, params }) => {
    const before = await findWebhook(admin, params.webhookId);
    const { answer, ...change } = webhookRotation(admin, before, newWebhookSecret(admin.randomBytes));
    return { ...change, answer: ok(issuedView(answer)) };
  },
  'POST /webhooks/:webhookId/ping': async ({ admin, params }) => {
    const { projectId, id: onlyWebhook } = await findWebhook(admin, params.webhookId);
    const eventId = randomId('test.ping-', ID_LENGTH, admin.randomBytes);
    const data = { message: `Postern can reach this channel for project ${projectId}.` };
    return {
      write: admin.store.events.addition({
        ...{ projectId, id: eventId, type: 'test.ping', at: admin.now(), logId: null, data, onlyWebhook },
      }),
      note: [],
      answer: ok({ eventId }),
    };
  },
  'GET /webhooks/:webhookId/deliveries': async (call) => {
    const { projectId, id } = await findWebhook(call.admin, call.params.webhookId);
    const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
    const before = queryText(call, 'before') ?? null;
    const found = await call.admin.store.events.deliveries.page(projectId, id, limit + 1, before);
    const { rows, next } = pageOf(found, limit, (delivery) => delivery.id);
    return ok({ rows: rows.map(deliveryView), next });
  },
  'GET /projects/:id/webhooks/:webhookId/deliveries/:deliveryId': async (call) => {
    const delivery = await findDelivery(call);
    const { format } = await findWebhook(call.admin, delivery.webhookId);
    const payload = payloadOf(delivery, await contentOf(call.admin.store, delivery));
    return ok({ ...deliveryView(delivery), body: payload === undefined ? null : bodyOf(payload, format) });
  },
  'POST /projects/:id/webhooks/:webhookId/deliveries/:deliveryId/resend': async (call) => {
    const delivery = await findDelivery(call);
    const { projectId, webhookId, type } = delivery;
    const webhook = await findWebhook(call.admin, webhookId);
    return {
      write: call.admin.store.events.deliveries.resend(projectId, delivery.id),
      note: [briefNote('webhook.resend', webhook, { type })],
      answer: ok(deliveryView({ ...delivery, state: 'pending', nextAt: 0, doneAt: null })),
    };
  },
  'GET /projects/:id/events': async (call) => {
    const project = await findProject(call.admin, call.params.id);
    const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
    const { events } = call.admin.store;
    const found = await events.page(project.id, limit + 1, queryId(call, 'before'), typesOf(call));
    const { rows, next } = pageOf(found, limit, ({ sortId }) => sortId);
    return ok({ rows: rows.map(({ id, type, at, data }) => ({ id, type, at, data })), next });
  },
} satisfies Partial<DashboardHandlers>;

export function webhookTargetOperations({ isRefusedTarget, limitMember }: WebhookParts) {
  return {
    'POST /projects/:id/webhook-target': async (call) => {
      limitMember(memberOf(call).id);
      await findProject(call.admin, call.params.id);
      const { url } = call.body;
      // What is not a URL is refused when it is saved, with the reason.
      return ok({ refused: URL.canParse(url) && (await isRefusedTarget(url)) });
    },
  } satisfies Partial<DashboardHandlers>;
}

/** What people set of a webhook. */
export type WebhookSettings = Pick<Webhook, 'name' | 'url' | 'events' | 'format' | 'filter'>;

/** The settings that are given, and the others as they were or as they are by default. */
export function readWebhook(given: Omit<WebhookChangeRequest, 'paused'>, before?: Webhook): WebhookSettings {
  const url = given.url === undefined && before !== undefined ? before.url : storedUrl(given.url ?? '');
  const byMail = url.startsWith(MAILTO);
  // What was chosen for a receiver of requests is not meant for a mailbox, nor the other way round.
  const same = before !== undefined && byMail === (before.format === 'email') ? before : undefined;
  const { signals = [] } = given.filter ?? {};
  const format = given.format ?? same?.format ?? 'standard';
  if (format === 'email' && !byMail)
    throw new InvalidInput('format', 'The format email goes with a URL that begins with mailto:.');
  return {
    name: given.name === undefined && before !== undefined ? before.name : (given.name ?? null),
    url,
    events: given.events === undefined && same !== undefined ? same.events : readEvents(given.events, byMail),
    format: byMail ? 'email' : format,
    filter:
      given.filter === undefined && before !== undefined
        ? before.filter
        : signals.length > 0
          ? { signals }
          : {},
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

export function webhookCreation({ store }: Administration, webhook: Webhook): Change<Webhook> {
  const note = [webhookNote('webhook.create', webhook)];
  return { write: store.events.webhooks.create(webhook), note, answer: webhook };
}

export function webhookUpdate({ store }: Administration, after: Webhook): Change<Webhook> {
  const note = [webhookNote('webhook.update', after)];
  return { write: store.events.webhooks.update(after), note, answer: after };
}

export function webhookRotation(admin: Administration, before: Webhook, secret: string): Change<Webhook> {
  const previousUntil = admin.now() + ROTATION_MS;
  return {
    write: admin.store.events.webhooks.rotate(before, secret, previousUntil),
    note: [briefNote('webhook.rotate', before)],
    answer: { ...before, secret, previousUntil },
  };
}

export function webhookRemoval({ store }: Administration, webhook: Webhook): Change<Webhook> {
  const note = [briefNote('webhook.delete', webhook, { host: receiverOf(webhook) })];
  return { write: store.events.webhooks.remove(webhook), note, answer: webhook };
}

function webhookNote(action: Note['action'], webhook: Webhook): Note {
  const { events, format } = webhook;
  return briefNote(action, webhook, { host: receiverOf(webhook), events: namesOfEvents(events), format });
}

function briefNote(action: Note['action'], webhook: Webhook, detail: Note['detail'] = {}): Note {
  return { action, project: webhook.projectId, detail: { ...auditedName(webhook), ...detail } };
}

async function findWebhook(admin: Administration, id: string): Promise<Webhook> {
  const webhook = await admin.store.events.webhooks.find(id);
  if (webhook === undefined) throw new NotFound(`There is no webhook ${quoted(id)}.`);
  return webhook;
}

/** A delivery is found by its key, because there can be millions. */
async function findDelivery({
  admin,
  params: { id: projectId, webhookId, deliveryId },
}: DashboardCall<'id' | 'webhookId' | 'deliveryId'>): Promise<Delivery> {
  const delivery = await admin.store.events.deliveries.find(projectId, deliveryId);
  if (delivery === undefined || delivery.webhookId !== webhookId)
    throw new NotFound(`There is no delivery ${quoted(deliveryId)}.`);
  return delivery;
}

/** The URL as it is stored. Its form was read. */
function storedUrl(text: string): string {
  const url = new URL(text);
  if (url.protocol === MAILTO)
    return `${MAILTO}${encodeURIComponent(addressIn(url)?.normalized ?? '').replaceAll('%40', '@')}`;
  url.hash = '';
  return url.href;
}

/** Strangers with a client key decide how many validations there are, so members do not get a mail for each unasked. */
const MAILED_BY_DEFAULT = WEBHOOK_EVENT_NAMES.filter((name) => !name.startsWith('validation.'));

function readEvents(events: NewWebhookRequest['events'], byMail: boolean): WebhookEvents {
  if (events === '*') return '*';
  if (events === undefined || events === null || events.length === 0) return byMail ? MAILED_BY_DEFAULT : '*';
  return WEBHOOK_EVENT_NAMES.filter((name) => events.includes(name));
}

function typesOf(call: RouteCall<'GET /projects/:id/events'>): WebhookEvent[] {
  return (queryText(call, 'type') ?? '')
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const found = WEBHOOK_EVENT_NAMES.find((one) => one === name);
      if (found === undefined)
        throw new InvalidInput('type', `type must be names of events: ${WEBHOOK_EVENT_NAMES.join(', ')}.`);
      return found;
    });
}

/** The URL of a chat channel is enough to write into it, so only those who may change it see it. */
function urlFor({ url, format, projectId }: Webhook, reader: MemberRow | undefined): string {
  if (format !== 'slack' && format !== 'discord') return url;
  return reader === undefined || hasRole(roleIn(reader, projectId), 'admin')
    ? url
    : `${new URL(url).origin}/…`;
}

function webhookView(webhook: Webhook, reader?: MemberRow): WebhookView {
  const { secret: _secret, previousSecret: _previous, previousUntil, ...fields } = webhook;
  return {
    ...fields,
    url: urlFor(webhook, reader),
    events: namesOfEvents(webhook.events),
    paused: webhook.disabledAt !== null && webhook.failingSince === null,
    previousSecretUntil: previousUntil,
  };
}

function issuedView(webhook: Webhook): NewWebhookView {
  return { ...webhookView(webhook), secret: webhook.secret };
}

function deliveryView(delivery: Delivery): DeliveryView {
  const { id, type, state, attempts, at, doneAt, status, error, durationMs } = delivery;
  const waits = state === 'pending' && delivery.nextAt < PAUSED;
  const nextAttemptAt = waits ? Math.max(delivery.nextAt, at) : null;
  return { id, type, state, attempts, at, nextAttemptAt, doneAt, status, error, durationMs };
}
