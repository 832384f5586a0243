import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyWebhook } from './verify-webhook.ts';

const NOW = 1_763_200_000_000;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = `whsec_${Buffer.from('another secret of a webhook').toString('base64')}`;
const BODY = '{"type":"test.ping","timestamp":"2025-11-15T09:46:40.000Z","data":{"project":"shop"}}';

function signatureOf(secret: string, timestamp: string, body = BODY, id = 'msg_1'): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function delivery(secrets: readonly string[] = [SECRET], at = NOW) {
  const timestamp = String(Math.floor(at / 1000));
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signatureOf(secret, timestamp)).join(' '),
  };
}

const options = { now: () => NOW };

it('accepts the standard’s own example', async () => {
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const at = { now: () => 1_614_265_330_000 };
  expect(await verifyWebhook(headers, '{"test": 2432232314}', SECRET, at)).toMatchObject({
    ok: true,
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  });
});

it.each([
  ['Node’s headers', delivery()],
  ['web headers', new Headers(delivery())],
  [
    'a plain object with capitals',
    Object.fromEntries(Object.entries(delivery()).map(([name, value]) => [name.toUpperCase(), value])),
  ],
])('reads %s, and the body as text or bytes', async (_name, headers) => {
  const result = { ok: true, id: 'msg_1', payload: { type: 'test.ping', data: { project: 'shop' } } };
  expect(await verifyWebhook(headers, BODY, SECRET, options)).toMatchObject(result);
  expect(await verifyWebhook(headers, Buffer.from(BODY), SECRET, options)).toMatchObject(result);
});

it('says that it needs the raw body if a parser ran before', async () => {
  const parsed = JSON.parse(BODY) as unknown as string;
  await expect(verifyWebhook(delivery(), parsed, SECRET, options)).rejects.toThrow('raw body');
});

it('accepts either of two secrets during a rotation', async () => {
  const headers = delivery([OTHER, SECRET]);
  expect(await verifyWebhook(headers, BODY, SECRET, options)).toMatchObject({ ok: true });
  expect(await verifyWebhook(headers, BODY, OTHER, options)).toMatchObject({ ok: true });
});

it.each([
  ['another secret', delivery([OTHER]), BODY, 'wrong_signature'],
  ['a changed body', delivery(), `${BODY} `, 'wrong_signature'],
  ['another id', { ...delivery(), 'webhook-id': 'msg_2' }, BODY, 'wrong_signature'],
  ['no signature', { ...delivery(), 'webhook-signature': '' }, BODY, 'missing_headers'],
  [
    'a signature of another kind',
    { ...delivery(), 'webhook-signature': 'v1a,AAAA' },
    BODY,
    'wrong_signature',
  ],
  ['an invalid time', { ...delivery(), 'webhook-timestamp': 'now' }, BODY, 'missing_headers'],
  ['a delivery six minutes old', delivery([SECRET], NOW - 360_000), BODY, 'too_old'],
  ['a delivery from the future', delivery([SECRET], NOW + 360_000), BODY, 'too_new'],
])('refuses %s', async (_name, headers, body, reason) => {
  expect(await verifyWebhook(headers, body, SECRET, options)).toEqual({ ok: false, reason });
});

it('accepts a delivery that is almost five minutes old', async () => {
  expect(await verifyWebhook(delivery([SECRET], NOW - 299_000), BODY, SECRET, options)).toMatchObject({
    ok: true,
  });
});

it('throws if the secret is missing, instead of refusing everything', async () => {
  await expect(verifyWebhook(delivery(), BODY, '', options)).rejects.toThrow('needs the webhook’s secret');
});
