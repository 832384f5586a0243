import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { verifyMemberAddress } from '../dist/operations/accounts.js';
import { BEGIN, browser, companySettings as settings } from './support/company-browser.ts';
import { member, PASSWORD, visitor } from './support/dashboard.ts';
import { ask } from './support/http-client.ts';
import { OWN_ENVIRONMENT } from './support/own-environment.ts';
import type { TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';
import { startOidcProvider, type TestProvider } from './support/test-oidc-provider.ts';

const CLOCK = new URL('./support/movable-clock.mjs', import.meta.url);

describe.each(USUAL_BACK_ENDS)('company sign-in on %s', (backEnd) => {
  let provider: TestProvider;
  let service: TestService;
  beforeAll(async () => {
    provider = await startOidcProvider();
    service = await startServiceOn(backEnd, { env: settings(provider) });
    await provider.register(`${service.url}${BEGIN}/callback`);
    await service.admin(({ store }) => store.ping());
  });
  afterEach(() => {
    Object.assign(provider, { forge: undefined, forgeWithOtherKey: false, down: false });
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });

  const enterAs = async (subject: string) => {
    provider.person = subject;
    const page = browser(service);
    return { page, ended: await page.signIn() };
  };

  it('lets somebody in with PKCE, state and nonce, with the role of their claims, which follows the provider', async () => {
    provider.people.set('s-jane', {
      email: 'Jane@Example.com',
      email_verified: true,
      name: 'Jane',
      groups: ['team'],
    });
    const { page, ended } = await enterAs('s-jane');
    expect(ended).toBe('/dashboard/');
    expect((await page.api('/session')).json.user).toMatchObject({
      email: 'jane@example.com',
      name: 'Jane',
      role: 'analyst',
    });
    const asked = provider.seen.authorization;
    expect(asked?.get('code_challenge_method')).toBe('S256');
    expect([asked?.get('nonce')?.length, asked?.get('state')?.length]).toEqual([43, 43]);
    expect(provider.seen.token?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect((await page.api('/setup')).json).toMatchObject({
      passwords: true,
      company: { name: 'Example Inc.' },
    });

    // The same person, with another address and other groups.
    provider.people.set('s-jane', { email: 'new@example.com', email_verified: false, groups: ['owners'] });
    const again = (await enterAs('s-jane')).page;
    expect((await again.api('/session')).json.user).toMatchObject({
      email: 'jane@example.com',
      role: 'owner',
    });
    // The cookie of a finished sign-in is of no use.
    const callback = page.steps.find((step) => step.includes('/callback?')) ?? '';
    const replayed = await page.request(callback);
    expect(replayed.headers.get('location')).toBe('/dashboard/sign-in?problem=expired');
  });

  it('lets a whole office in through one address, and counts only what fails', async () => {
    provider.people.set('s-office', { email: 'office@example.com', email_verified: true, groups: ['team'] });
    for (let person = 0; person < 70; person += 1)
      expect((await enterAs('s-office')).ended).toBe('/dashboard/');
    const callback = `${service.url}${BEGIN}/callback?code=x&state=y`;
    const stranger = browser(service);
    const headers = { 'x-forwarded-for': '81.2.69.160' };
    const ended = async () =>
      (await stranger.request(callback, 'GET', undefined, headers)).headers.get('location');
    for (let attempt = 0; attempt < 60; attempt += 1)
      expect(await ended()).toBe('/dashboard/sign-in?problem=expired');
    expect(await ended()).toBe('/dashboard/sign-in?problem=too-many');
  });

  it('ends the sessions of whom the provider signs out, and of nobody else', async () => {
    const groups = ['team'];
    for (const name of ['gone', 'stays'])
      provider.people.set(`s-${name}`, { email: `${name}@example.com`, email_verified: true, groups });
    const [gone, stays] = [(await enterAs('s-gone')).page, (await enterAs('s-stays')).page];
    const status = async () =>
      Promise.all([gone, stays].map(async (page) => (await page.api('/session')).status));
    const send = async (token: string) =>
      fetch(`${service.url}${BEGIN}/logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });
    const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const nobody = { iss: provider.issuer, aud: provider.clientId, events: event };
    const claims = { ...nobody, sub: 's-gone' };
    for (const [forged, by] of [
      [claims, 'stranger'],
      [{ ...claims, iss: 'https://evil.example' }, 'provider'],
      [{ ...claims, aud: 'another' }, 'provider'],
      [{ ...claims, nonce: 'of an ID token' }, 'provider'],
      [{ ...claims, events: {} }, 'provider'],
      [{ ...nobody, sid: 'a-session' }, 'provider'],
      [{ ...claims, iat: 1_700_000_000 }, 'provider'],
    ] as const)
      expect([forged, (await send(await provider.sign(forged, by === 'stranger'))).status]).toEqual([
        forged,
        400,
      ]);
    expect((await send('nonsense')).status).toBe(400);
    expect(await status()).toEqual([200, 200]);
    await provider.signOut('s-gone');
    expect(await status()).toEqual([401, 200]);
  });

  it('gives roles in single projects, and none to people without a match', async () => {
    await service.makeProject({ id: 'shop' }).catch(() => undefined);
    provider.people.set('s-shop', { email: 'shop@example.com', email_verified: true, groups: ['shop-team'] });
    const { page } = await enterAs('s-shop');
    expect((await page.api('/session')).json.user).toMatchObject({
      role: 'none',
      projects: { shop: 'admin' },
    });
    provider.people.set('s-none', { email: 'none@example.com', email_verified: true, groups: ['others'] });
    expect((await enterAs('s-none')).ended).toBe('/dashboard/sign-in?problem=no-role');

    // Taken away at the provider: the open session ends with the next attempt to sign in.
    provider.people.set('s-shop', { email: 'shop@example.com', email_verified: true, groups: [] });
    expect((await enterAs('s-shop')).ended).toBe('/dashboard/sign-in?problem=no-role');
    expect((await page.api('/session')).status).toBe(401);
    provider.people.delete('s-shop');
    expect((await enterAs('s-shop')).ended).toBe('/dashboard/sign-in?problem=refused');
  });

  // What a token says does not depend on the store.
  const refused = [
    ['another audience', { aud: 'somebody-else' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['another nonce', { nonce: 'x'.repeat(43) }],
    ['no nonce', { nonce: undefined }],
    ['an end two minutes ago', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['an issue time two minutes ahead', { iat: Math.floor(Date.now() / 1000) + 600 }],
    ['several audiences and another client', { aud: ['postern', 'other'], azp: 'other' }],
    ['no subject', { sub: undefined }],
  ] as const;
  it.each(backEnd === 'sqlite' ? refused : [])('refuses a token with %s', async (_, change) => {
    provider.people.set('s-jane', { email: 'jane@example.com', email_verified: true, groups: ['team'] });
    provider.forge = (claims) => ({ ...claims, ...change }) as typeof claims;
    const { page, ended } = await enterAs('s-jane');
    expect(ended).toBe('/dashboard/sign-in?problem=invalid');
    expect((await page.api('/session')).status).toBe(401);
  });

  it('refuses a token that a stranger signed, accepts clocks that differ by seconds and follows rotated keys', async () => {
    provider.people.set('s-keys', { email: 'keys@example.com', email_verified: true, groups: ['team'] });
    provider.forge = (claims) => claims;
    provider.forgeWithOtherKey = true;
    expect((await enterAs('s-keys')).ended).toBe('/dashboard/sign-in?problem=invalid');
    provider.forgeWithOtherKey = false;
    const now = Math.floor(Date.now() / 1000);
    provider.forge = (claims) => ({ ...claims, iat: now + 30, exp: now + 3600 });
    expect((await enterAs('s-keys')).ended).toBe('/dashboard/');
    provider.forge = (claims) => ({ ...claims, iat: now - 90, exp: now - 20 });
    expect((await enterAs('s-keys')).ended).toBe('/dashboard/');
    provider.forge = undefined;
    // Endpoints and keys are read once, and the keys again when a token names a new one.
    const before = { ...provider.seen };
    expect((await enterAs('s-keys')).ended).toBe('/dashboard/');
    expect(provider.seen.keySets).toBe(before.keySets);
    await provider.rotateKeys();
    expect((await enterAs('s-keys')).ended).toBe('/dashboard/');
    expect(provider.seen.keySets).toBe(before.keySets + 1);
    expect(provider.seen.discoveries - before.discoveries).toBeLessThanOrEqual(1);
  });

  it('never uses an account because of an address that is not verified on both sides', async () => {
    const { email } = await member(service, 'viewer');
    const person = { email, groups: ['owners'] };
    provider.people.set('s-eve', { ...person, email_verified: false });
    expect((await enterAs('s-eve')).ended).toBe('/dashboard/sign-in?problem=address-taken');
    provider.people.set('s-eve', { ...person, email_verified: true });
    expect((await enterAs('s-eve')).ended).toBe('/dashboard/sign-in?problem=address-taken');
    await service.admin((admin) => verifyMemberAddress(admin, email));
    provider.people.set('s-eve', { ...person, email_verified: false });
    expect((await enterAs('s-eve')).ended).toBe('/dashboard/sign-in?problem=address-taken');
    provider.people.set('s-eve', { ...person, email_verified: true });
    const { page, ended } = await enterAs('s-eve');
    expect([ended, (await page.api('/session')).json.user]).toEqual([
      '/dashboard/',
      expect.objectContaining({ email, role: 'owner' }),
    ]);
    provider.people.set('s-nobody', { groups: ['team'] });
    expect((await enterAs('s-nobody')).ended).toBe('/dashboard/sign-in?problem=no-address');
  });

  it('says that the provider is down and ends no session', async () => {
    provider.people.set('s-stay', { email: 'stay@example.com', email_verified: true, groups: ['team'] });
    const { page } = await enterAs('s-stay');
    provider.down = true;
    expect((await page.api('/session')).status).toBe(200);
    // The endpoints are known, so the browser is sent there; its own error page says the rest. The code is not accepted.
    const begun = await page.request(service.url + BEGIN);
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
    const back = await page.request(`${service.url}${BEGIN}/callback?code=x&state=${state}`);
    expect(back.headers.get('location')).toBe('/dashboard/sign-in?problem=unreachable');
    expect((await page.api('/session')).status).toBe(200);
  });

  it('refuses a return that this browser did not begin', async () => {
    provider.people.set('s-jane', { email: 'jane@example.com', email_verified: true, groups: ['team'] });
    provider.person = 's-jane';
    const eve = browser(service);
    await eve.signIn();
    const callback = eve.steps.find((step) => step.includes('/callback?')) ?? '';
    const victim = browser(service);
    expect((await victim.request(callback)).headers.get('location')).toBe(
      '/dashboard/sign-in?problem=expired',
    );
    await victim.request(service.url + BEGIN);
    expect((await victim.request(callback)).headers.get('location')).toBe(
      '/dashboard/sign-in?problem=expired',
    );
    // Nor one that another provider sends (RFC 9207).
    const other = browser(service);
    const own = new URL((await other.request(service.url + BEGIN)).headers.get('location') ?? '');
    const query = `code=x&state=${own.searchParams.get('state')}&iss=https%3A%2F%2Fevil.example`;
    expect((await other.request(`${service.url}${BEGIN}/callback?${query}`)).headers.get('location')).toBe(
      '/dashboard/sign-in?problem=invalid',
    );
  });
});

/** The token of the link that the command prints, beside the running service. */
async function linkByCommand(settings: Record<string, string>, email: string): Promise<string> {
  const program = fileURLToPath(new URL('../../../deploy/postern.mjs', import.meta.url));
  const args = [program, 'user', 'sign-in-link', '--email', email, '--json'];
  const env = { ...OWN_ENVIRONMENT, POSTERN_PASSWORDS: 'off', ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return new URL(JSON.parse(stdout).url).hash.replace('#token=', '');
}

describe('a service with only company sign-in', () => {
  it('refuses passwords, ends a session after 12 hours, and lets an owner back in by command', async () => {
    const provider = await startOidcProvider();
    const folder = await mkdtemp(join(tmpdir(), 'postern-oidc-'));
    const { POSTERN_OIDC_CLIENT_SECRET, ...others } = settings(provider);
    await writeFile(join(folder, 'secret'), `${POSTERN_OIDC_CLIENT_SECRET}\n`);
    const [almost, after] = [11.9, 12.1].map((hours) => hours * 3_600_000);
    const env = {
      ...others,
      POSTERN_OIDC_CLIENT_SECRET_FILE: join(folder, 'secret'),
      POSTERN_PASSWORDS: 'off',
      NODE_OPTIONS: `--import=${CLOCK.href}`,
      CLOCK_SHIFTS: `${almost},${after}`,
    };
    const service = await startServiceOn('sqlite', { env });
    try {
      await provider.register(`${service.url}${BEGIN}/callback`);
      const { createAccount } = await import('../dist/operations/accounts.js');
      const email = 'owner@example.com';
      await service.admin((admin) =>
        createAccount(admin, { name: 'Owner', email, password: PASSWORD }, 'owner'),
      );
      const guest = visitor(service);
      expect((await guest.get('/setup')).json).toMatchObject({ passwords: false, passwordMail: false });
      for (const path of ['/sign-in/email', '/two-factor/verify-totp'])
        expect([path, (await guest.auth(path, { email, password: PASSWORD })).status]).toEqual([path, 403]);

      provider.people.set('s-jane', { email: 'jane@example.com', email_verified: true, groups: ['owners'] });
      provider.person = 's-jane';
      const jane = browser(service);
      await jane.signIn();
      expect((await jane.api('/session')).status).toBe(200);

      const token = await linkByCommand(
        { ...others, POSTERN_OIDC_CLIENT_SECRET, POSTERN_DATA_DIR: service.dataDir },
        email,
      );
      const owner = browser(service);
      expect((await owner.api('/sign-in-link', 'POST', { token })).status).toBe(201);
      expect((await owner.api('/session')).json.user).toMatchObject({ email, role: 'owner' });
      expect((await browser(service).api('/sign-in-link', 'POST', { token })).status).toBe(404);

      // The provider is gone. No member loses a session before its end, and using one does not prolong it.
      provider.down = true;
      for (const [shift, status] of [
        [almost, 200],
        [after, 401],
      ]) {
        service.process.kill('SIGWINCH');
        await expect.poll(() => service.output()).toContain(`the clock is off by ${shift}\n`);
        expect((await jane.api('/session')).status).toBe(status);
        expect((await owner.api('/session')).status).toBe(status);
      }
      expect(await jane.signIn()).toBe('/dashboard/sign-in?problem=unreachable');
    } finally {
      await service.close();
      await provider.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('keeps two providers apart: the same subject is another person, and an address links nobody', async () => {
    const [one, other] = [await startOidcProvider(), await startOidcProvider()];
    const person = { email: 'jane@example.com', groups: ['team'] };
    one.people.set('same', { ...person, email_verified: true });
    other.people.set('same', { ...person, email_verified: false });
    const first = await startServiceOn('sqlite', { env: settings(one) });
    try {
      await one.register(`${first.url}${BEGIN}/callback`);
      one.person = 'same';
      other.person = 'same';
      expect(await browser(first).signIn()).toBe('/dashboard/');
      await first.stop();
      const { startService } = await import('./support/service.ts');
      const second = await startService({ env: settings(other), dataDir: first.dataDir });
      try {
        await other.register(`${second.url}${BEGIN}/callback`);
        expect(await browser(second).signIn()).toBe('/dashboard/sign-in?problem=address-taken');
        other.people.set('same', { ...person, email: 'other@example.com', email_verified: false });
        const page = browser(second);
        expect(await page.signIn()).toBe('/dashboard/');
        expect((await page.api('/session')).json.user).toMatchObject({ email: 'other@example.com' });
      } finally {
        await second.close();
      }
    } finally {
      await first.close();
      await one.close();
      await other.close();
    }
  });

  it('says what is wrong when the provider is not the one that the settings name', async () => {
    const provider = await startOidcProvider();
    const env = {
      ...settings(provider),
      POSTERN_OIDC_ISSUER: provider.issuer.replace('127.0.0.1', 'localhost'),
    };
    const service = await startServiceOn('sqlite', { env });
    try {
      expect(await browser(service).signIn()).toBe('/dashboard/sign-in?problem=misconfigured');
      await expect.poll(() => service.output()).toContain('but POSTERN_OIDC_ISSUER is');
      provider.down = true;
      expect(await browser(service).signIn()).toBe('/dashboard/sign-in?problem=unreachable');
      const page = await ask(service.url, { method: 'GET', path: `${BEGIN}/nothing` });
      expect(page.status).toBe(404);
    } finally {
      await service.close();
      await provider.close();
    }
  });
});
