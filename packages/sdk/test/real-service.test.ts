import type { ValidateResponse } from '@postern/contract';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { checkLocally } from '../src/core/check-locally.ts';
import { bundlePageScript } from './support/bundle.ts';
import { launchChromium } from './support/chromium.ts';
import { type Site, startSite } from './support/site.ts';

let browser: Browser;
let service: TestService;
let site: Site;

beforeAll(async () => {
  [browser, service] = await Promise.all([launchChromium(), startService()]);
  site = await startSite({
    '/': '<!doctype html><title>Sign up</title><link rel="icon" href="data:,"><script src="/postern.js"></script>',
    '/postern.js': await bundlePageScript(),
  });
});
afterAll(async () => {
  await browser.close();
  await site.close();
  await service.close();
});

interface Outcome {
  value?: { recommendation: string; source: string; metadata: Record<string, unknown>; signals: string[] };
  error?: Record<string, unknown>;
}

async function open(origin = site.origin): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(origin);
  return page;
}

/** What `validate()` returns or throws inside the page. */
function validate(
  page: Page,
  project: TestProject,
  email: string,
  options: { ownFetch?: boolean; [name: string]: unknown } = {},
): Promise<Outcome> {
  // Long limits, so that a busy machine does not change the result.
  const patient = { timeoutMs: 60_000, fingerprintTimeoutMs: 60_000 };
  const keys = { projectId: project.id, apiKey: project.clientKey };
  const client = { baseUrl: service.url, ...keys, ...patient, ...options };
  return page.evaluate(
    async ({ client, email }) => {
      const { Postern } = globalThis as unknown as {
        Postern: typeof import('../src/index.ts');
      };
      try {
        const { ownFetch, ...rest } = client;
        const options = { ...rest, ...(ownFetch && { fetch: window.fetch }) };
        return { value: await Postern.createPosternClient(options).validate(email) } as never;
      } catch (error) {
        const typed = Postern.isPosternError(error) ? { ...error } : {};
        return { error: { ...typed, message: (error as Error).message } } as never;
      }
    },
    { client, email },
  );
}

describe('a page with a client key', () => {
  it('has the same fingerprint after a reload, and the service counts by it', async () => {
    const project = await service.makeProject({ allowedDomains: ['localhost:*'] });
    const first = await validate(await open(), project, 'jane.doe@gmail.com');
    const second = await validate(await open(), project, 'john.roe@gmail.com');
    expect(first.value?.metadata.fingerprintHash).toMatch(/^b2_/);
    expect(second.value?.metadata.fingerprintHash).toBe(first.value?.metadata.fingerprintHash);
    expect(second.value?.metadata.previousSignups).toBe(1);
    expect(second.value?.signals).toContain('device_reuse');
  });

  it('can pass the browser’s own fetch', async () => {
    const project = await service.makeProject({ allowedDomains: ['localhost:*'] });
    const { value } = await validate(await open(), project, 'jane.doe@gmail.com', { ownFetch: true });
    expect(value?.source).toBe('service');
  });

  it('can read which origin was refused, despite CORS', async () => {
    const project = await service.makeProject({ allowedDomains: ['shop.example'] });
    const { error } = await validate(await open(), project, 'jane.doe@gmail.com');
    expect(error).toMatchObject({
      label: 'DOMAIN_NOT_ALLOWED',
      status: 403,
      message: `Origin '${site.origin}' not in allowed domains`,
    });
  });

  it('can read that its key is revoked', async () => {
    const project = await service.makeProject({ allowedDomains: ['localhost:*'] });
    const dead = { ...project, clientKey: `${project.clientKey.slice(0, -4)}0000` };
    const { error } = await validate(await open(), dead, 'jane.doe@gmail.com');
    expect(error).toMatchObject({ label: 'UNAUTHORIZED', status: 401 });
  });

  it('gets a used-up quota as a typed error with its numbers', async () => {
    const project = await service.makeProject({ allowedDomains: ['localhost:*'], quotaLimit: 1 });
    const page = await open();
    expect((await validate(page, project, 'jane.doe@gmail.com')).value?.source).toBe('service');
    const { error } = await validate(page, project, 'john.roe@gmail.com', { whenExhausted: 'throw' });
    expect(error).toMatchObject({ label: 'QUOTA_EXCEEDED', status: 402, limit: 1, used: 1, remaining: 0 });
    expect(error?.resetAt).toMatch(/^\d{4}-\d\d-01T00:00:00(\.000)?Z$/);
  });

  it('gets a used-up hour as a typed error that says when to retry', async () => {
    const project = await service.makeProject({ allowedDomains: ['localhost:*'], rateClient: 1 });
    const page = await open();
    expect((await validate(page, project, 'jane.doe@gmail.com')).value?.source).toBe('service');
    const { error } = await validate(page, project, 'john.roe@gmail.com', { whenExhausted: 'throw' });
    expect(error).toMatchObject({ label: 'RATE_LIMITED', status: 429, limit: 1, window: '1h' });
    expect(error?.retryAfter).toBeGreaterThan(3000);
  });

  it('fails open if there is no answer', async () => {
    const project = await service.makeProject({ allowedDomains: ['localhost:*'] });
    const { value } = await validate(await open(), project, 'jane.doe@gmail.com', {
      baseUrl: 'http://127.0.0.1:1',
    });
    expect(value).toMatchObject({ recommendation: 'allow', source: 'failOpen' });
  });
});

describe('the local check', () => {
  it('refuses nothing that the service accepts', async () => {
    const project = await service.makeProject({ allowedDomains: ['app.example'] });
    const odd = [
      '',
      'a',
      '@',
      'a@',
      '@b',
      'a@b',
      'a@@b.co',
      'a b@c.de',
      'a@b..c',
      '.a@b.c',
      'a.@b.c',
      'a..b@c.de',
    ];
    odd.push(
      'a@-b.co',
      'a@b-.co',
      'a@b_c.de',
      'a@b.c,d',
      'a<b@c.de>',
      `${'l'.repeat(65)}@gmail.com`,
      'a@paral·lel.cat',
    );
    odd.push(
      'ä@ö.de',
      'a@例え。テスト',
      '"a b"@c.de',
      '"a@c.de',
      'a"b@c.de',
      'a@[1.2.3.4]',
      'a@[IPv6:::1]',
      'a@[x',
      'a\u00a0b@c.de',
    );
    for (const email of odd) {
      if (checkLocally(email).wellFormed) continue;
      expect([email, (await project.validate({ email })).status]).toEqual([email, 400]);
    }
  });

  it('never suggests a different domain than the service', async () => {
    const project = await service.makeProject({ allowedDomains: ['app.example'] });
    const typos = ['gmial.com', 'gmail.con', 'gmail.co', 'gmail.cm', 'gmai.com', 'gnail.com', 'hotmial.com'];
    typos.push('yaho.com', 'outlok.com', 'iclod.com', 'yahooo.co.uk', 'protonmial.com', 'googlemial.com');
    let compared = 0;
    for (const domain of typos) {
      const email = `jane.doe@${domain}`;
      const { checks } = (await project.validate({ email })).json as ValidateResponse;
      const suggestion = checks.mx?.metadata?.suggestion;
      if (suggestion === undefined) continue;
      expect(checkLocally(email).suggestion).toBe(`jane.doe@${suggestion}`);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(6);
  });
});
