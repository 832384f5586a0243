import { createPublicKey, hash, verify } from 'node:crypto';
import {
  DISPOSABLE_LIST_MAX_BYTES,
  DISPOSABLE_LIST_TYPE,
  type DisposableListClaims,
  decodeDisposableList,
  type VerdictKeySet,
} from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('GET /v1/lists/disposable', () => {
  it('returns a signed list below 500 KB with disposable domains and no real provider', async () => {
    const response = await fetch(`${service.url}/v1/lists/disposable`);
    expect(response.status).toBe(200);
    const body = Buffer.from(await response.arrayBuffer());
    expect(body.length).toBeLessThan(DISPOSABLE_LIST_MAX_BYTES);
    const end = body.indexOf(10);
    const [head = '', payload = '', signature = ''] = body.subarray(0, end).toString().split('.');
    const header = JSON.parse(Buffer.from(head, 'base64url').toString());
    const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as VerdictKeySet;
    const key = keys.find(({ kid }) => kid === header.kid);
    expect(header).toMatchObject({ alg: 'EdDSA', typ: DISPOSABLE_LIST_TYPE });
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
    const signed = Buffer.from(`${head}.${payload}`);
    expect(verify(null, signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as DisposableListClaims;
    const bytes = body.subarray(end + 1);
    expect(claims).toMatchObject({ iss: 'postern', sha256: hash('sha256', bytes, 'base64url') });

    const list = decodeDisposableList(bytes);
    for (const domain of ['mailinator.com', 'x.mailinator.com', 'yopmail.com', 'guerrillamail.com']) {
      expect(list.includes(domain), domain).toBe(true);
    }
    const real = [
      'gmail.com',
      'outlook.com',
      'proton.me',
      'fastmail.com',
      'duck.com',
      'privaterelay.appleid.com',
    ];
    for (const domain of [...real, 'gmx.de', 'example.com', 'a.co.uk']) {
      expect(list.includes(domain), domain).toBe(false);
    }
  });

  it('is not sent again to a caller that has it', async () => {
    const first = await fetch(`${service.url}/v1/lists/disposable`, { method: 'HEAD' });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=3600');
    const again = await fetch(`${service.url}/v1/lists/disposable`, { headers: { 'If-None-Match': etag } });
    expect({ status: again.status, body: await again.text() }).toEqual({ status: 304, body: '' });
  });
});
