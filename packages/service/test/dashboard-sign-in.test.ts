import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { resetPassword } from '../dist/operations/accounts.js';
import { type DashboardClient, member, PASSWORD, setupToken, visitor } from './support/dashboard.ts';
import { startService, type TestService } from './support/service.ts';
import { BACK_ENDS, startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

describe('the first account', () => {
  it('is created with the link that every start prints until there is an account', async () => {
    const service = await startService({ slowPasswords: true });
    try {
      const [, token] = await printed(service, /\/dashboard\/setup#token=(pst_setup_[\w-]{43})/);
      const jane = visitor(service);
      expect((await jane.get('/setup')).json).toMatchObject({ needed: true });
      const account = { token, name: 'Jane', email: 'Jane@Example.com', password: PASSWORD };
      const weak = await jane.call('POST', '/setup', { ...account, password: 'short' });
      expect([weak.status, weak.json.field]).toEqual([400, 'password']);
      expect((await jane.call('POST', '/setup', { ...account, token: `${token}x` })).status).toBe(404);
      const made = await jane.call('POST', '/setup', account);
      expect([made.status, made.json.role, made.json.email]).toEqual([201, 'owner', 'jane@example.com']);
      expect((await jane.get('/session')).json.user.id).toBe(made.json.id);
      expect((await jane.get('/setup')).json).toMatchObject({ needed: false });
      const signIn = (password: string) =>
        visitor(service).auth('/sign-in/email', { email: account.email, password });
      expect([(await signIn(PASSWORD)).status, (await signIn('wrong password')).status]).toEqual([200, 401]);
      expect((await visitor(service).call('POST', '/setup', account)).status).toBe(404);
      const other = { ...account, email: 'eve@example.com' };
      expect((await visitor(service).call('POST', '/setup', other)).status).toBe(404);
    } finally {
      await service.close();
    }
  });
});

/** Waits until the service has printed it. */
function printed(service: TestService, wanted: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    const look = () => {
      const found = wanted.exec(service.output());
      if (found !== null) resolve(found);
    };
    service.process.stdout?.on('data', () => setImmediate(look));
    look();
  });
}

it.each(BACK_ENDS)('one of ten parallel first set-ups wins on %s', async (backEnd) => {
  const service = await startServiceOn(backEnd);
  onTestFinished(() => service.close());
  const token = await setupToken(service);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      visitor(service).call('POST', '/setup', {
        token,
        name: `Person ${index}`,
        email: `person-${index}@example.com`,
        password: PASSWORD,
      }),
    ),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([201, ...Array(9).fill(404)]);
});

describe.each(USUAL_BACK_ENDS)('sign-in on %s', (backEnd) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startServiceOn(backEnd);
  });
  afterAll(() => service.close());

  it('keeps the session in a cookie that scripts and other sites cannot use', async () => {
    const { email } = await member(service, 'viewer');
    const jane = visitor(service);
    const answer = await jane.auth('/sign-in/email', { email, password: PASSWORD });
    const cookie = answer.headers['set-cookie'] ?? '';
    expect(cookie).toMatch(
      /^postern\.session_token=[^;]+; Max-Age=604800; Path=\/dashboard; HttpOnly; SameSite=Strict, postern\.device=/,
    );
    expect(answer.text).not.toContain(/=([^.]+)\./.exec(cookie)?.[1]);
    expect(answer.headers['cache-control']).toBe('no-store');
    const session = await jane.get('/session');
    expect(session.json.user).toMatchObject({ email, role: 'viewer', name: 'A viewer' });
    expect(session.json.plans).toContainEqual({ name: 'free', quota: 10_000 });
  });

  it('gives the same answer for wrong passwords and unknown addresses', async () => {
    const { email } = await member(service, 'viewer');
    const wrong = await visitor(service).auth('/sign-in/email', { email, password: 'wrong password' });
    const unknown = await visitor(service).auth('/sign-in/email', {
      email: 'nobody@example.com',
      password: 'wrong password',
    });
    expect(wrong.status).toBe(401);
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
  });

  it('ends a session on sign-out, everywhere when asked, and with a new password', async () => {
    const jane = await member(service, 'viewer');
    const elsewhere = visitor(service);
    await elsewhere.auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    const stolen = { cookie: elsewhere.cookie() };
    expect((await elsewhere.call('GET', '/session')).status).toBe(200);

    const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await jane.auth('/change-password', { ...change, currentPassword: 'wrong' })).status).toBe(400);
    expect((await jane.auth('/change-password', { ...change, newPassword: 'short' })).status).toBe(400);
    expect((await jane.auth('/change-password', change)).status).toBe(200);
    expect((await jane.get('/session')).status).toBe(200);
    expect((await visitor(service).call('GET', '/session', undefined, stolen)).status).toBe(401);

    await elsewhere.auth('/sign-in/email', { email: jane.email, password: 'another horse battery' });
    expect((await elsewhere.get('/session')).status).toBe(200);
    expect((await jane.auth('/revoke-sessions')).status).toBe(200);
    expect((await jane.get('/session')).status).toBe(401);
    expect((await elsewhere.get('/session')).status).toBe(401);

    await jane.auth('/sign-in/email', { email: jane.email, password: 'another horse battery' });
    const kept = { cookie: jane.cookie() };
    expect((await jane.auth('/sign-out')).status).toBe(200);
    expect((await visitor(service).call('GET', '/session', undefined, kept)).status).toBe(401);
  });

  it('ends access tokens with the sessions when asked, and says how many are left', async () => {
    const jane = await member(service, 'viewer');
    const works = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await visitor(service).call('GET', '/session', undefined, headers)).status === 200;
    };
    const make = async (name: string): Promise<string> => (await jane.post('/tokens', { name })).json.token;
    const [first, second] = [await make('one'), await make('two')];
    const next = 'another horse battery';
    const change = (fields: object) => jane.auth('/change-password', fields);

    const kept = await change({ currentPassword: PASSWORD, newPassword: next });
    expect(kept.json).toMatchObject({ tokensRevoked: 0, tokensLeft: 2 });
    expect([await works(first), await works(second)]).toEqual([true, true]);
    const unclear = await change({ currentPassword: next, newPassword: PASSWORD, revokeTokens: 'yes' });
    expect([unclear.status, unclear.json.field]).toEqual([400, 'revokeTokens']);
    const wrong = await change({ currentPassword: 'wrong', newPassword: next, revokeTokens: true });
    expect([wrong.status, await works(first)]).toEqual([400, true]);
    const ended = await change({ currentPassword: next, newPassword: PASSWORD, revokeTokens: true });
    expect(ended.json).toMatchObject({ tokensRevoked: 2, tokensLeft: 0 });
    expect([await works(first), await works(second)]).toEqual([false, false]);

    const third = await make('three');
    await jane.auth('/revoke-sessions');
    expect(await works(third)).toBe(true);
    await jane.auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    expect((await jane.auth('/revoke-sessions', { revokeTokens: true })).json.tokensRevoked).toBe(1);
    expect(await works(third)).toBe(false);
    await jane.auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    const { rows } = (await jane.get('/audit?limit=200')).json;
    const me = (await jane.get('/session')).json.user.id;
    const removals = rows.filter(
      ({ actor, action }: { actor: string; action: string }) => actor === me && action === 'token.remove',
    );
    expect(removals).toHaveLength(3);
  });

  it('accepts the password that the operator has reset', async () => {
    const jane = await member(service, 'owner');
    await jane.post('/tokens', { name: 'script' });
    const enabled = await jane.auth('/two-factor/enable', { password: PASSWORD });
    await jane.auth('/two-factor/verify-totp', { code: totp(enabled.json.totpURI) });
    const signIn = (password: string) =>
      visitor(service).auth('/sign-in/email', { email: jane.email, password });
    // Has the same effect as ten wrong guesses, without using up the limit of this machine’s address.
    await service.admin(async ({ store, now }) => {
      for (let tries = 0; tries < 10; tries += 1)
        await store.counters.count(`account:${jane.email}`, 900_000, now());
    });
    expect((await signIn(PASSWORD)).status).toBe(429);
    const reset = (password: string, options = { dropSecondFactor: false, revokeTokens: false }) =>
      service.admin((admin) => resetPassword(admin, ` ${jane.email.toUpperCase()}`, password, options));

    await expect(reset('short')).rejects.toThrow('10 to 128');
    expect(await reset('a new horse battery')).toMatchObject({ tokensRevoked: 0, tokensLeft: 1 });
    expect((await jane.get('/session')).status).toBe(401);
    expect((await signIn(PASSWORD)).status).toBe(401);
    const half = await signIn('a new horse battery');
    expect([half.status, half.json.twoFactorRedirect]).toEqual([200, true]);

    const all = { dropSecondFactor: true, revokeTokens: true };
    expect(await reset('a third horse battery', all)).toMatchObject({ tokensRevoked: 1, tokensLeft: 0 });
    const again = visitor(service);
    await again.auth('/sign-in/email', { email: jane.email, password: 'a third horse battery' });
    expect((await again.get('/session')).json).toMatchObject({
      user: { email: jane.email, role: 'owner' },
      twoFactorEnabled: false,
    });
  });

  it('asks for the second factor if there is one', async () => {
    const jane = await member(service, 'admin');
    expect((await jane.auth('/two-factor/enable', { password: 'wrong password' })).status).toBe(400);
    const enabled = await jane.auth('/two-factor/enable', { password: PASSWORD });
    expect(enabled.json.backupCodes.length).toBeGreaterThan(5);
    expect((await jane.auth('/two-factor/verify-totp', { code: '000000' })).status).toBe(401);
    const elsewhere = visitor(service);
    await elsewhere.auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    expect((await elsewhere.get('/session')).status).toBe(200);
    const verified = await jane.auth('/two-factor/verify-totp', { code: totp(enabled.json.totpURI) });
    expect(verified.status).toBe(200);
    expect((await elsewhere.get('/session')).status).toBe(401);
    expect((await jane.get('/session')).json.twoFactorEnabled).toBe(true);

    const phone = visitor(service);
    const first = await phone.auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    expect([first.status, first.json.twoFactorRedirect]).toEqual([200, true]);
    expect((await phone.get('/session')).status).toBe(401);
    const second = await phone.auth('/two-factor/verify-totp', { code: totp(enabled.json.totpURI) });
    expect(second.status).toBe(200);
    expect((await phone.get('/session')).status).toBe(200);

    const trusted = visitor(service);
    const signIn = { email: jane.email, password: PASSWORD };
    await trusted.auth('/sign-in/email', signIn);
    const [backup, ...others] = enabled.json.backupCodes;
    const trust = await trusted.auth('/two-factor/verify-backup-code', {
      code: others[0],
      trustDevice: true,
    });
    expect(trust.status).toBe(200);
    expect((await trusted.auth('/sign-in/email', signIn)).json).not.toHaveProperty('twoFactorRedirect');
    expect((await trusted.auth('/revoke-sessions')).status).toBe(200);
    expect((await trusted.auth('/sign-in/email', signIn)).json.twoFactorRedirect).toBe(true);
    await jane.auth('/sign-in/email', signIn);
    expect((await jane.auth('/two-factor/verify-backup-code', { code: others[1] })).status).toBe(200);

    const spare = visitor(service);
    await spare.auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    expect((await spare.auth('/two-factor/verify-backup-code', { code: backup })).status).toBe(200);
    const thief = visitor(service);
    await thief.auth('/sign-in/email', signIn);
    expect((await thief.auth('/two-factor/verify-backup-code', { code: backup })).status).toBe(401);
    expect((await spare.auth('/two-factor/disable', { password: PASSWORD })).status).toBe(200);
    const actions = (await jane.get('/audit')).json.rows.map((row: { action: string }) => row.action);
    expect(actions).toEqual(expect.arrayContaining(['member.second-factor-on', 'member.second-factor-off']));
  });

  it('accepts a code once, also if it is sent twice at the same time', async () => {
    const jane = await member(service, 'viewer');
    const { totpURI } = (await jane.auth('/two-factor/enable', { password: PASSWORD })).json;
    await jane.auth('/two-factor/verify-totp', { code: totp(totpURI) });
    const browsers = [visitor(service), visitor(service), visitor(service)];
    for (const browser of browsers)
      await browser.auth('/sign-in/email', { email: jane.email, password: PASSWORD });
    const code = totp(totpURI);
    const answers = await Promise.all(
      browsers.map((browser) => browser.auth('/two-factor/verify-totp', { code })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    const sessions = await Promise.all(browsers.map((browser) => browser.get('/session')));
    expect(sessions.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    for (const { status, headers } of answers)
      expect(headers['set-cookie']?.includes('session_token=') ?? false).toBe(status === 200);
  });

  it('does not let strangers lock members out of browsers that they use', async () => {
    const jane = await member(service, 'owner');
    const signIn = { email: jane.email, password: PASSWORD };
    await jane.auth('/sign-out');
    const guess = (who: DashboardClient) =>
      who.auth('/sign-in/email', { ...signIn, password: 'wrong password' });
    // A device that is known for another account counts as a stranger’s here.
    const eve = await member(service, 'viewer');
    const guesses = [];
    for (let tries = 0; tries < 11; tries += 1) guesses.push((await guess(eve)).status);
    expect(guesses).toEqual([...Array(10).fill(401), 429]);
    expect((await visitor(service).auth('/sign-in/email', signIn)).status).toBe(429);

    expect((await jane.auth('/sign-in/email', signIn)).status).toBe(200);
    const change = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    expect((await jane.auth('/change-password', change)).status).toBe(200);
    for (let tries = 0; tries < 10; tries += 1) expect((await guess(jane)).status).toBe(401);
    expect((await guess(jane)).status).toBe(429);
  });

  it('logs no error of the library and no unexpected fault', () => {
    const errors = service
      .output()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"/.test(line));
    // A slow disk may delay the database’s answer to work in the background.
    expect(errors.filter((line) => !line.includes('the store failed'))).toEqual([]);
  });

  it('does not expose the library’s other routes', async () => {
    const stranger = visitor(service);
    const account = { email: 'new@example.com', password: PASSWORD, name: 'New' };
    for (const path of [
      '/sign-up/email',
      '/update-user',
      '/delete-user',
      '/reset-password',
      '/list-sessions',
    ])
      expect((await stranger.auth(path, account)).status, path).toBe(404);
    for (const path of ['/get-session', '/ok', '/callback/github'])
      expect((await service.ask({ path: `/dashboard/api/auth${path}` })).status, path).toBe(404);
  });
});

/** RFC 6238, as in an authenticator app. */
function totp(uri: string): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  let bits = '';
  for (const letter of secret)
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
