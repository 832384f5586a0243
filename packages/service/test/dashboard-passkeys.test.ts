import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CHALLENGES_PER_ADDRESS } from '../dist/dashboard-api/sign-in-throttle.js';
import { resetPassword } from '../dist/operations/accounts.js';
import { type DashboardClient, member, PASSWORD, visitor } from './support/dashboard.ts';
import { freePort } from './support/free-port.ts';
import { type Mailbox, startMailbox } from './support/mailbox.ts';
import type { TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';
import { softwareAuthenticator } from './support/software-authenticator.ts';

describe.each(USUAL_BACK_ENDS)('passkeys on %s', (backEnd) => {
  let service: TestService;
  let mailbox: Mailbox;
  let origin: string;
  beforeAll(async () => {
    mailbox = await startMailbox();
    const port = String(await freePort());
    origin = `http://localhost:${port}`;
    const env = { ...mailbox.env, POSTERN_PORT: port, POSTERN_PUBLIC_URL: origin };
    service = await startServiceOn(backEnd, { env });
  });
  afterAll(async () => {
    await service?.close();
    await mailbox?.close();
  });

  const add = async (person: DashboardClient, password?: string) => {
    const passkey = softwareAuthenticator(origin);
    const options = await person.auth('/passkey/generate-register-options', { password }, { origin });
    if (options.status !== 200) return { ...passkey, status: options.status, field: options.json.field };
    const body = { name: 'Laptop', response: passkey.register(options.json) };
    const { status } = await person.auth('/passkey/verify-registration', body, { origin });
    return { ...passkey, status, field: undefined };
  };
  const signIn = async (passkey: ReturnType<typeof softwareAuthenticator>, browser = visitor(service)) => {
    const { json } = await browser.auth('/passkey/generate-authenticate-options', {}, { origin });
    const body = { response: passkey.signIn(json) };
    return (await browser.auth('/passkey/verify-authentication', body, { origin })).status;
  };

  it('need the password to be added, and the owner gets a mail', async () => {
    const jane = await member(service, 'viewer');
    expect(await add(jane)).toMatchObject({ status: 400, field: 'password' });
    expect(await add(jane, 'a wrong password')).toMatchObject({ status: 400, field: 'password' });
    expect((await jane.get('/passkeys')).json).toEqual([]);
    const passkey = await add(jane, PASSWORD);
    expect(passkey.status).toBe(200);
    expect(await signIn(passkey)).toBe(200);
    await vi.waitFor(() => {
      const mails = mailbox.received.filter(({ to }) => to.includes(jane.email));
      expect(mails.map(({ text }) => /^Subject: (.+)$/m.exec(text)?.[1])).toEqual([
        'A passkey was added to your Postern account',
      ]);
    });
  });

  it('guess no more than ten passwords with a stolen session', async () => {
    const jane = await member(service, 'viewer');
    for (let guess = 0; guess < 10; guess += 1) await add(jane, `guess number ${guess}`);
    expect((await add(jane, PASSWORD)).status).toBe(429);
  });

  it.each([
    ['/change-password', { currentPassword: PASSWORD, newPassword: 'another horse entirely' }],
    ['/revoke-sessions', {}],
  ])('%s says how many are left, and removes them if asked', async (path, body) => {
    for (const [revokePasskeys, left, status] of [
      [false, 1, 200],
      [true, 0, 401],
    ] as const) {
      const jane = await member(service, 'viewer');
      const passkey = await add(jane, PASSWORD);
      const { json } = await jane.auth(path, { ...body, revokePasskeys }, { origin });
      expect(json).toMatchObject({ passkeysRevoked: 1 - left, passkeysLeft: left });
      expect(await signIn(passkey)).toBe(status);
    }
  });

  it('are counted and removed by a reset at the command line', async () => {
    const jane = await member(service, 'viewer');
    const passkey = await add(jane, PASSWORD);
    const reset = (revokePasskeys: boolean) =>
      service.admin((admin) =>
        resetPassword(admin, jane.email, 'another horse entirely', {
          dropSecondFactor: false,
          revokeTokens: false,
          revokePasskeys,
        }),
      );
    expect(await reset(false)).toMatchObject({ passkeysRevoked: 0, passkeysLeft: 1 });
    expect(await reset(true)).toMatchObject({ passkeysRevoked: 1, passkeysLeft: 0 });
    expect(await signIn(passkey)).toBe(401);
  });

  it('sign a challenge once, in the browser that asked for it', async () => {
    const jane = await member(service, 'viewer');
    const passkey = await add(jane, PASSWORD);
    const browser = visitor(service);
    const { json } = await browser.auth('/passkey/generate-authenticate-options', {}, { origin });
    const body = { response: passkey.signIn(json) };
    expect((await visitor(service).auth('/passkey/verify-authentication', body, { origin })).status).toBe(
      400,
    );
    const challenge = browser.cookie();
    expect((await browser.auth('/passkey/verify-authentication', body, { origin })).status).toBe(200);
    const again = await service.ask({
      method: 'POST',
      path: '/dashboard/api/auth/passkey/verify-authentication',
      headers: { origin, cookie: challenge, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([again.status, again.json.code]).toEqual([400, 'CHALLENGE_NOT_FOUND']);
  });

  it('cost no row for a challenge, and an address gets a limited number', async () => {
    const rows = () =>
      service.admin(async ({ store }) => {
        const sql = 'SELECT count(*) AS n FROM auth_verification';
        return Number((await store.auth.query(sql, [])).rows[0]?.n);
      });
    const before = await rows();
    const statuses = [];
    for (let number = 0; number < CHALLENGES_PER_ADDRESS + 20; number += 1) {
      const asked = {
        method: 'POST',
        path: '/dashboard/api/auth/passkey/generate-authenticate-options',
        headers: { origin },
      };
      statuses.push((await service.ask(asked)).status);
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(CHALLENGES_PER_ADDRESS);
    expect(statuses.at(-1)).toBe(429);
    expect(await rows()).toBe(before);
  });
});
