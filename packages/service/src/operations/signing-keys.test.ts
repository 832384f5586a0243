import { DAY_MS } from '@postern/contract';
import { expect, test } from 'vitest';
import { openAdministration } from '../../test/support/administration.ts';
import { createVerdictSigner, emailHash, makeSigningKey } from '../record/verdict.ts';
import { revokeSigningKeys, rotateSigningKey } from './signing-keys.ts';

test('after a rotation the new key signs and the old one is published for a day', async () => {
  const admin = await openAdministration();
  const [first] = await admin.store.instance.firstSigningKey(makeSigningKey(admin.now()));
  admin.wait(1000);
  const second = await rotateSigningKey(admin);

  const keys = await admin.store.instance.signingKeys();
  expect(keys.filter((key) => key.retiredAt === null).map((key) => key.kid)).toEqual([second.kid]);
  const published = (now: number) =>
    createVerdictSigner(keys)
      .keySet(now)
      .keys.map((key) => key.kid);
  expect(published(admin.now()).sort()).toEqual([first?.kid, second.kid].sort());
  expect(published(admin.now() + 2 * DAY_MS)).toEqual([second.kid]);
  expect((await admin.store.audit.page(null, 1, null))[0]).toMatchObject({ action: 'signing-key.rotate' });
});

test('a revocation leaves only the new key, which signs immediately', async () => {
  const admin = await openAdministration();
  const [first] = await admin.store.instance.firstSigningKey(makeSigningKey(admin.now()));
  admin.wait(1000);
  const second = await rotateSigningKey(admin);
  admin.wait(1000);
  const { key, revoked } = await revokeSigningKeys(admin);

  expect([...revoked].sort()).toEqual([first?.kid, second.kid].sort());
  const signer = createVerdictSigner(await admin.store.instance.signingKeys());
  expect(signer.keySet(admin.now()).keys.map(({ kid }) => kid)).toEqual([key.kid]);
  const token = await signer.sign({
    projectId: 'shop',
    sub: emailHash('jane@example.com'),
    requestId: 'req-1',
    event: 'sign_up',
    recommendation: 'allow',
    signals: [],
    mode: 'live',
    weakened: false,
    checks: ['syntax'],
    without: [],
    quiet: false,
    now: admin.now(),
  });
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
  expect(header.kid).toBe(key.kid);
  expect((await admin.store.audit.page(null, 1, null))[0]).toMatchObject({ action: 'signing-key.revoke' });
});
