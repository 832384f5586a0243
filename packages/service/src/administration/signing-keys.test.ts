import { expect, test } from 'vitest';
import { openAdministration } from '../../test/support/administration.ts';
import { DAY_MS } from '../model/windows.ts';
import { createVerdictSigner, makeSigningKey } from '../record/verdict.ts';
import { rotateSigningKey } from './signing-keys.ts';

test('after a rotation the new key signs and the old one is published for a day', async () => {
  const admin = await openAdministration();
  const [first] = await admin.store.instance.addSigningKey(makeSigningKey(admin.now()), true);
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
