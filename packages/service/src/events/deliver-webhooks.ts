import { randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS, type WebhookFilter, type WebhookPayload } from '@postern/contract';
import type { Log, LogFault } from '../log.ts';
import type { Store } from '../store/store.ts';
import { type AttemptResult, type Delivery, PAUSED } from '../store/tables/delivery-table.ts';
import type { Webhook } from '../store/tables/webhook-table.ts';
import type { SafeFetch } from './safe-fetch/safe-fetch.ts';
import { SafeFetchError } from './safe-fetch/safe-fetch-error.ts';
import type { MailSender } from './send-mail.ts';
import { switchOffWebhook } from './switch-off-webhook.ts';
import { bodyOf, payloadOf, sentenceOf, subjectOf } from './webhook-body.ts';
import { signedHeaders } from './webhook-signature.ts';

export interface DelivererParts {
  readonly store: Pick<Store, 'events' | 'log' | 'commit' | 'members' | 'counters'>;
  readonly fetch: SafeFetch;
  /** `undefined` if no SMTP server is set. */
  readonly mail: MailSender | undefined;
  /** The dashboard’s address in mails. */
  readonly publicUrl: string | undefined;
  readonly log: Log;
  readonly logFault: LogFault;
  readonly now: () => number;
  readonly random: () => number;
  readonly version: string;
  readonly onAttempt: (result: 'delivered' | 'retried' | 'failed') => void;
}

export interface Deliverer {
  /** This process did something that may have caused an event: it answered a request. Must cost next to nothing. */
  wake(): void;
  /** Takes no more deliveries and waits for those in progress. */
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 500;
/**
 * While this process answers nothing and has nothing to send. Only alerts, commands and processes that ended can cause
 * events then.
 */
const LOOK_WHEN_IDLE_MS = 5_000;
const AT_ONCE = 32;
const AT_ONCE_PER_WEBHOOK = 8;
const TIMEOUT_MS = 10_000;
/** Longer than an attempt can take. After a crash, the process’s deliveries wait at most this long. */
const LEASE_MS = 20_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_REDIRECTS = 3;
const MAX_ERROR_LENGTH = 200;
/** Strangers can cause events. The SMTP account also sends the links for new passwords. */
const MAILS_PER_HOUR = 20;

/**
 * Sends the deliveries that are due in the outbox. Every process of an installation does this. A lease keeps two
 * processes from sending the same delivery, and the leases of a crashed process expire.
 */
export function startDeliverer(parts: DelivererParts): Deliverer {
  const lease = randomUUID();
  const underWay = new Map<string, number>();
  const sending = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let troubled = false;
  /** Whether the last query found something. Then there may be more, and it runs again as soon as a slot is free. */
  let mayBeMore = false;
  let closed = false;
  let timer: NodeJS.Timeout;
  /** Whether a request was answered since the last query began. */
  let woken = false;
  let isIdle = false;
  /** When the first of this process’s failed deliveries is due again. */
  let retryAt = Number.POSITIVE_INFINITY;

  const send = (delivery: Delivery) => {
    const { webhookId } = delivery;
    underWay.set(webhookId, (underWay.get(webhookId) ?? 0) + 1);
    const work = deliver(parts, delivery, lease)
      .then((nextAt) => {
        retryAt = Math.min(retryAt, nextAt ?? retryAt);
      })
      .catch((fault) => parts.logFault(fault, 'could not record a webhook delivery'))
      .finally(() => {
        const left = (underWay.get(webhookId) ?? 1) - 1;
        if (left === 0) underWay.delete(webhookId);
        else underWay.set(webhookId, left);
        sending.delete(work);
        if (mayBeMore) void lookUnlessLooking();
      });
    sending.add(work);
  };

  const claimDue = async () => {
    const limit = AT_ONCE - sending.size;
    if (limit <= 0) return;
    const now = parts.now();
    if (retryAt <= now) retryAt = Number.POSITIVE_INFINITY;
    try {
      const claim = {
        lease,
        now,
        leaseUntil: now + LEASE_MS,
        limit,
        perWebhook: AT_ONCE_PER_WEBHOOK,
        underWay,
      };
      const claimed = await parts.store.events.deliveries.claim(claim);
      mayBeMore = claimed.length > 0;
      for (const delivery of claimed) send(delivery);
      troubled = false;
    } catch (fault) {
      if (!troubled) parts.logFault(fault, 'could not read the webhook outbox; trying again');
      troubled = true;
    }
  };

  const lookUnlessLooking = async () => {
    if (closed) return;
    looking ??= claimDue().finally(() => {
      looking = undefined;
    });
    await looking;
  };
  const pauseMs = () =>
    isIdle ? Math.max(LOOK_EVERY_MS, Math.min(LOOK_WHEN_IDLE_MS, retryAt - parts.now())) : LOOK_EVERY_MS;
  const schedule = () => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => void look(), pauseMs());
  };
  const look = async () => {
    woken = false;
    await lookUnlessLooking();
    isIdle = !woken && !troubled && sending.size === 0;
    schedule();
  };
  schedule();
  return {
    wake() {
      woken = true;
      if (!isIdle) return;
      isIdle = false;
      schedule();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
      await Promise.all(sending);
    },
  };
}

/** Makes one attempt and records its result. Resolves to the time of the next attempt if there is one. */
async function deliver(
  parts: DelivererParts,
  delivery: Delivery,
  lease: string,
): Promise<number | undefined> {
  const { store, now, random } = parts;
  const webhook = await store.events.webhooks.find(delivery.webhookId, delivery.projectId);
  const started = performance.now();
  const sent = webhook === undefined ? GONE : await attempt(parts, delivery, webhook);
  if (sent === UNWANTED) {
    await store.events.deliveries.drop(delivery, lease);
    return undefined;
  }
  const at = now();
  const next = sent.ok || sent.final ? undefined : nextAttemptAt(delivery.at, delivery.attempts, at, random);
  const isOff = webhook !== undefined && webhook.disabledAt !== null;
  const state = sent.ok ? 'delivered' : next === undefined ? 'failed' : 'pending';
  const result: AttemptResult = {
    state,
    now: at,
    nextAt: isOff ? PAUSED : (next ?? 0),
    status: sent.status,
    error: sent.error?.slice(0, MAX_ERROR_LENGTH) ?? null,
    durationMs: Math.round(performance.now() - started),
    notSent: sent.final === true,
  };
  await store.events.deliveries.finish(delivery, lease, result);
  parts.onAttempt(state === 'pending' ? 'retried' : state);
  if (sent.ok || sent.final || webhook === undefined) return undefined;
  const failingFor = webhook.failingSince === null ? 0 : at - webhook.failingSince;
  if (sent.status === 410) await switchOffWebhook(parts, webhook, at, 'its receiver answered 410 Gone');
  else if (failsForTooLong(failingFor, state === 'failed'))
    await switchOffWebhook(parts, webhook, at, 'its receiver has failed for three days');
  return isOff ? undefined : next;
}

interface Sent {
  readonly ok: boolean;
  readonly status: number | null;
  readonly error: string | null;
  /** Whether trying again cannot help. */
  readonly final?: true;
}

const GONE: Sent = {
  ok: false,
  status: null,
  error: 'The webhook or the validation no longer exists',
  final: true,
};

/** The webhook’s filter leaves it out. The outbox is written without asking the filter, so that no request waits for it. */
const UNWANTED: Sent = { ok: false, status: null, error: null, final: true };

async function attempt(parts: DelivererParts, delivery: Delivery, webhook: Webhook): Promise<Sent> {
  const payload = payloadOf(delivery, await contentOf(parts.store, delivery));
  if (payload === undefined) return GONE;
  if (!wants(webhook.filter, payload)) return UNWANTED;
  if (webhook.format === 'email') return attemptMail(parts, delivery, webhook, payload);
  const body = bodyOf(payload, webhook.format);
  try {
    const response = await parts.fetch({
      url: webhook.url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `Postern/${parts.version}`,
        ...signedHeaders(webhook, `evt_${eventKey(delivery)}`, body, parts.now()),
      },
      body,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
    });
    // Only the status counts. The body is not read.
    response.cancel();
    const ok = response.status >= 200 && response.status < 300;
    return { ok, status: response.status, error: ok ? null : `The receiver answered ${response.status}` };
  } catch (error) {
    if (!(error instanceof SafeFetchError)) throw error;
    return { ok: false, status: null, error: `The receiver ${error.message}` };
  }
}

async function attemptMail(
  { mail, store, now }: DelivererParts,
  delivery: Delivery,
  { url }: Webhook,
  payload: WebhookPayload,
): Promise<Sent> {
  if (mail === undefined)
    return {
      ok: false,
      status: null,
      error: 'Mail is not set up: set POSTERN_SMTP_URL and POSTERN_SMTP_FROM',
    };
  const held = await heldBack(store, delivery, payload, now());
  if (held === 'held') return HELD_BACK;
  const facts = JSON.stringify(payload.data, null, 2);
  const text = `${held === 'last' ? LAST_OF_THE_HOUR : ''}${sentenceOf(payload)}\n\n${payload.type} at ${payload.timestamp}\n\n${facts}\n`;
  const to = decodeURIComponent(new URL(url).pathname);
  try {
    await mail.send({ to, subject: subjectOf(payload), text, messageId: delivery.id });
    return { ok: true, status: null, error: null };
  } catch (error) {
    // Only what was sent counts: otherwise an hour’s failures would use up the limit, and the mails would be lost.
    await store.counters.uncount(mailsOf(delivery));
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, status: null, error: `The mail server refused or did not answer: ${reason}` };
  }
}

const HELD_BACK: Sent = {
  ok: false,
  status: null,
  error: `Not mailed: this address already got ${MAILS_PER_HOUR} mails within an hour`,
  final: true,
};
const LAST_OF_THE_HOUR = `This address has now got ${MAILS_PER_HOUR} mails within an hour. Further events of this hour are not mailed; the dashboard
lists them under Webhooks.

`;

const mailsOf = ({ webhookId }: Delivery) => `mail:${webhookId}`;

/** `last`: it is mailed, and says that nothing follows. A ping is asked for by a member and always mailed. */
async function heldBack(
  { counters }: DelivererParts['store'],
  delivery: Delivery,
  { type }: WebhookPayload,
  now: number,
): Promise<'mailed' | 'last' | 'held'> {
  if (type === 'test.ping') return 'mailed';
  const { count } = await counters.count(mailsOf(delivery), HOUR_MS, now);
  if (count > MAILS_PER_HOUR) return 'held';
  return count === MAILS_PER_HOUR ? 'last' : 'mailed';
}

/** The same for every webhook and every attempt, so that receivers can recognise repeats. */
function eventKey({ id, webhookId }: Delivery): string {
  return id.slice(0, -(webhookId.length + 1));
}

export async function contentOf(store: Pick<Store, 'events' | 'log'>, delivery: Delivery) {
  const { projectId, eventId, logId } = delivery;
  const [event, row] = await Promise.all([
    eventId === logId ? undefined : store.events.find(projectId, eventId),
    logId === null ? undefined : store.log.find(projectId, logId),
  ]);
  return { event, row };
}

/** Whether a webhook wants the event, of those it is subscribed to. A member asked for a ping, so it is always sent. */
export function wants(filter: WebhookFilter, { type, data }: WebhookPayload): boolean {
  const { signals = [] } = filter;
  if (!type.startsWith('validation.') || signals.length === 0) return true;
  const has: readonly unknown[] = Array.isArray(data.signals) ? data.signals : [];
  return signals.some((signal) => has.includes(signal));
}

const SECOND_MS = 1_000;

/** A delivery that has not succeeded after this time is marked as failed. */
export const RETRIED_FOR_MS = 72 * HOUR_MS;

/**
 * Whether a webhook that fails for this long is to be switched off. An event’s first failure comes a little after it, so
 * its last attempt three days later sees a webhook that fails for a little less.
 */
function failsForTooLong(failingForMs: number, isLastAttempt: boolean): boolean {
  return failingForMs >= (isLastAttempt ? RETRIED_FOR_MS - HOUR_MS : RETRIED_FOR_MS);
}

const PAUSES_MS = [
  5 * SECOND_MS,
  15 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];

/**
 * When to try again after a failed attempt; `undefined` when the three days are over. The pauses grow. They vary by a
 * tenth, so that a receiver that recovers does not get everything in the same second. The last attempt is at the end of
 * the three days.
 */
export function nextAttemptAt(
  eventAt: number,
  attempts: number,
  now: number,
  random: () => number,
): number | undefined {
  const end = eventAt + RETRIED_FOR_MS;
  if (now >= end) return undefined;
  const pause = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? SECOND_MS;
  return Math.min(now + Math.round(pause * (0.9 + 0.2 * random())), end);
}
