import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newMemberLink } from '../dist/operations/links.js';
import { member, PASSWORD, visitor } from './support/dashboard.ts';
import { freePort } from './support/free-port.ts';
import { type Mailbox, startMailbox } from './support/mailbox.ts';
import { startService, type TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

const NEW_PASSWORD = 'another horse entirely';
const WAIT = { timeout: 100_000, interval: 50 };

describe.each(USUAL_BACK_ENDS)('a new password by mail on %s', (backEnd) => {
  let service: TestService;
  let mailbox: Mailbox;
  let publicUrl: string;
  beforeAll(async () => {
    mailbox = await startMailbox();
    const port = String(await freePort());
    publicUrl = `http://localhost:${port}`;
    const env = { ...mailbox.env, POSTERN_PORT: port, POSTERN_PUBLIC_URL: publicUrl };
    service = await startServiceOn(backEnd, { env });
  });
  afterAll(async () => {
    await service?.close();
    await mailbox?.close();
  });

  const mailsTo = (email: string) =>
    mailbox.received.filter(({ to }) => to.includes(email.trim().toLowerCase()));
  const forgot = (email: string, headers = {}) =>
    visitor(service).call('POST', '/password/forgot', { email }, headers);
  const tokenFor = async (email: string): Promise<string> => {
    const before = mailsTo(email).length;
    expect((await forgot(email)).status).toBe(202);
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(before + 1), WAIT);
    return /#token=(\S+)/.exec(mailsTo(email).at(-1)?.text ?? '')?.[1] ?? '';
  };
  const reset = (token: unknown, password: unknown = NEW_PASSWORD, more: object = {}) =>
    visitor(service).call('POST', '/password/reset', { token, password, ...more });
  const signsIn = async (email: string, password: string) =>
    (await visitor(service).auth('/sign-in/email', { email, password })).status;

  it('works once, ends every session and makes other links useless', async () => {
    expect((await visitor(service).get('/setup')).json.passwordMail).toBe(true);
    const jane = await member(service, 'admin');
    const other = await tokenFor(jane.email);
    const token = await tokenFor(` ${jane.email.toUpperCase()} `);
    const { text } = mailsTo(jane.email)[0] ?? { text: '' };
    expect(text).toMatch(/^Subject: Choose a new password for Postern/m);
    expect(text).toContain(`${publicUrl}/dashboard/reset-password#token=pst_reset_`);
    expect((await visitor(service).post('/password/check', { token })).json).toEqual({ open: true });
    expect((await reset(token, 'short')).json).toMatchObject({ field: 'password' });
    expect((await jane.get('/session')).status).toBe(200);

    const results = await Promise.all([reset(token), reset(token), reset(other)]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await jane.get('/session')).status).toBe(401);
    expect(await signsIn(jane.email, PASSWORD)).toBe(401);
    expect(await signsIn(jane.email, NEW_PASSWORD)).toBe(200);
    for (const used of [token, other]) {
      expect((await visitor(service).post('/password/check', { token: used })).json).toEqual({ open: false });
      expect((await reset(used)).status).toBe(404);
    }
    const owner = await member(service, 'owner');
    const { rows } = (await owner.get('/audit?action=member.password-reset')).json;
    expect(rows).toHaveLength(1);
  });

  it('refuses links that are forged or too old', async () => {
    const jane = await member(service, 'viewer');
    const id = (await jane.get('/session')).json.user.id as string;
    const { token, old } = await service.admin(async ({ store, randomBytes }) => {
      const links = [0, 61 * 60_000].map((age) =>
        newMemberLink({ randomBytes, now: () => Date.now() - age }, 'reset', { id }),
      );
      await store.commit(
        links.map(({ link }) => store.members.linkCreation(link)),
        [],
      );
      return { token: links[0]?.token ?? '', old: links[1]?.token ?? '' };
    });
    for (const forged of [old, `${token}x`, token.slice(0, -1), 'pst_reset_', '', 'x'.repeat(10_000)])
      expect((await reset(forged)).status, forged.slice(0, 80)).toBe(404);
    for (const [body, field] of [
      [{ password: NEW_PASSWORD }, 'token'],
      [{ token: 5, password: NEW_PASSWORD }, 'token'],
      [{ token, password: NEW_PASSWORD, revokeTokens: 'yes' }, 'revokeTokens'],
      [{ token, password: NEW_PASSWORD, role: 'owner' }, 'role'],
    ] as const) {
      const answer = await visitor(service).call('POST', '/password/reset', body);
      expect([answer.status, answer.json.field]).toEqual([400, field]);
    }
    expect(await signsIn(jane.email, PASSWORD)).toBe(200);
    expect((await reset(token)).status).toBe(200);
  });

  it('is useless once the password was changed in another way', async () => {
    const jane = await member(service, 'viewer');
    const token = await tokenFor(jane.email);
    const fields = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await jane.auth('/change-password', fields)).status).toBe(200);
    expect((await reset(token, PASSWORD)).status).toBe(404);
    expect(await signsIn(jane.email, NEW_PASSWORD)).toBe(200);
  });

  it('keeps the second factor, and removes access tokens when asked to', async () => {
    const jane = await member(service, 'viewer');
    await jane.auth('/two-factor/enable', { password: PASSWORD });
    await jane.post('/tokens', { name: 'Script' });
    const kept = await reset(await tokenFor(jane.email));
    expect(kept.json).toMatchObject({ tokensRevoked: 0, tokensLeft: 1 });
    const removed = await reset(await tokenFor(jane.email), PASSWORD, { revokeTokens: true });
    expect(removed.json).toEqual({ tokensRevoked: 1, tokensLeft: 0 });
  });

  it('answers the same without an account, and sends nothing then', async () => {
    const jane = await member(service, 'viewer');
    const known = await forgot(jane.email);
    const unknown = await forgot('nobody@example.com');
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    await vi.waitFor(() => expect(mailsTo(jane.email)).toHaveLength(1), WAIT);
    for (const email of ['', 'nonsense', 5, null, undefined, `${'x'.repeat(320)}@example.com`])
      expect((await visitor(service).call('POST', '/password/forgot', { email })).status).toBe(400);
    expect(mailsTo('nobody@example.com')).toEqual([]);
  });

  it('sends three mails an hour to one address, with or without an account', async () => {
    const jane = await member(service, 'viewer');
    for (const email of [jane.email, 'stranger@example.com']) {
      for (let count = 0; count < 3; count += 1) expect((await forgot(email)).status).toBe(202);
      const refused = await forgot(email);
      expect([refused.status, typeof refused.json.retryAfter]).toEqual([429, 'number']);
    }
    await vi.waitFor(() => expect(mailsTo(jane.email)).toHaveLength(3), WAIT);
  });

  it('never takes the link’s address from the request', async () => {
    const jane = await member(service, 'viewer');
    const headers = {
      host: 'evil.example',
      origin: 'http://evil.example',
      'x-forwarded-host': 'evil.example',
    };
    expect((await forgot(jane.email, headers)).status).toBe(202);
    await vi.waitFor(() => expect(mailsTo(jane.email)).toHaveLength(1), WAIT);
    expect(mailsTo(jane.email)[0]?.text).not.toContain('evil.example');
  });
});

describe('invitations by mail', () => {
  it('carry the link; where the server refuses it, the link is shown all the same', async () => {
    const mailbox = await startMailbox();
    const service = await startService({ env: mailbox.env });
    try {
      const owner = await member(service, 'owner');
      expect((await owner.get('/session')).json.mail).toBe(true);
      const made = await owner.post('/invites', { role: 'admin', email: 'Guest@Example.com' });
      expect([made.status, made.json.mail]).toEqual([201, 'sent']);
      expect(mailbox.received[0]?.to).toEqual(['guest@example.com']);
      expect(mailbox.received[0]?.text).toContain(made.json.url);
      expect(mailbox.received[0]?.text).toContain('A owner invites you to Postern as an admin.');
      const token = new URL(made.json.url).hash.slice('#token='.length);
      const fields = { token, name: 'Guest', email: 'guest@example.com', password: PASSWORD };
      expect((await visitor(service).call('POST', '/invites/accept', fields)).json.role).toBe('admin');

      for (const email of ['nonsense', 'a@b.example\r\nBcc: c@d.example', 5, 'a@b.example, c@d.example'])
        expect((await owner.post('/invites', { role: 'admin', email })).json.field).toBe('email');
      expect((await owner.get('/invites')).json).toEqual([]);

      mailbox.refuse();
      const refused = await owner.post('/invites', { role: 'viewer', email: 'guest@example.com' });
      expect([refused.status, refused.json.mail]).toEqual([201, 'failed']);
      expect(refused.json.url).toContain('#token=');
      expect(mailbox.received).toHaveLength(1);
      // Without the service’s public address, a link for a stranger would point to where the stranger says.
      expect((await visitor(service).get('/setup')).json.passwordMail).toBe(false);
      expect((await visitor(service).call('POST', '/password/forgot', { email: owner.email })).status).toBe(
        404,
      );
    } finally {
      await service.close();
      await mailbox.close();
    }
  });

  it('need an SMTP server', async () => {
    const service = await startService();
    try {
      const owner = await member(service, 'owner');
      expect((await owner.get('/session')).json.mail).toBe(false);
      expect((await owner.post('/invites', { role: 'admin', email: 'guest@example.com' })).json.field).toBe(
        'email',
      );
      expect((await owner.get('/setup')).json.passwordMail).toBe(false);
      expect((await visitor(service).call('POST', '/password/forgot', { email: owner.email })).status).toBe(
        404,
      );
    } finally {
      await service.close();
    }
  });
});
