import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../sdk/test/support/chromium.ts';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { untilCounted } from '../../service/test/support/until-counted.ts';
import { seriousViolations } from './support/axe.ts';
import {
  OWNER,
  PASSWORD,
  sendListed,
  settled,
  signInByForm,
  type Visitor,
  visit,
} from './support/dashboard-page.ts';

/** The steps of a new user. Each depends on the one before. */
describe('from the first start to a policy in use', () => {
  let service: TestService;
  let browser: Browser;
  let owner: Visitor;
  let page: Page;
  let projectId = '';
  let serverKey = '';

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium()]);
    owner = await visit(browser, service);
    page = owner.page;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const validate = (key: string, email: string, locale = 'en') =>
    untilCounted(() =>
      service.ask({
        method: 'POST',
        path: '/validate',
        headers: {
          authorization: `Bearer ${key}`,
          'x-project-id': projectId,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ email, locale }),
      }),
    );
  const go = async (path: string) => {
    await page.goto(`/dashboard/projects/${projectId}${path}`);
    await settled(page);
  };
  const choose = (check: string, action: string) =>
    page
      .getByRole('group', { name: `When ${check} fails` })
      .getByText(action, { exact: true })
      .click();
  const showOnlyAllowed = async () => {
    await page.getByRole('button', { name: /^Answer/ }).click();
    await page.getByRole('menuitem', { name: 'allow' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('No validations match these filters').waitFor();
  };
  /** Creates the link of the open dialog, and follows it in another browser. */
  const join = async (name: string, email: string): Promise<Visitor> => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    const { pathname, hash } = new URL((await dialog.locator('code').first().innerText()).trim());
    await page.getByRole('button', { name: 'Done' }).click();
    const visitor = await visit(browser, service);
    await visitor.page.goto(pathname + hash);
    await visitor.page.getByLabel('Your name').fill(name);
    expect(await seriousViolations(visitor.page)).toEqual([]);
    await visitor.page.getByLabel('Email').fill(email);
    await visitor.page.getByLabel('Password').fill(PASSWORD);
    await visitor.page.getByRole('button', { name: 'Join' }).click();
    await visitor.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    return visitor;
  };

  it('sends people without an account to the printed set-up link', async () => {
    await page.goto('/dashboard/');
    await page.getByText('There is no account yet').waitFor();
    await page.goto('/dashboard/setup');
    await page.getByRole('heading', { name: 'Open the set-up link' }).waitFor();
  });

  it('creates the first account with the printed link, and signs in', async () => {
    // It is printed after the line that says that the service is ready.
    const printed = () => /http:\/\/\S+\/dashboard\/setup#\S+(?=\s)/.exec(service.output())?.[0];
    await expect.poll(printed).toBeDefined();
    const link = printed();
    const { pathname, hash } = new URL(link ?? '');
    // Only the fragment of the URL changes, so the browser does not reload the page.
    await page.goto('about:blank');
    await page.goto(pathname + hash);
    await page.getByLabel('Your name').fill(OWNER.name);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByText('No projects yet').waitFor();
  });

  it('does not create a second first account', async () => {
    const late = await visit(browser, service);
    await late.page.goto('/dashboard/setup#token=whatever');
    await late.page.getByText('Set-up is done').waitFor();
    await late.context.close();
  });

  it('creates a project and a server key, which is shown once', async () => {
    await page.getByRole('button', { name: 'Create the first project' }).click();
    await page.getByLabel('Name').fill('Acme web');
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByRole('button', { name: 'Create the first key' }).click();
    projectId = new URL(page.url()).pathname.split('/')[3] ?? '';
    await page.getByText('Server', { exact: true }).click();
    await page.getByLabel('Name (optional)').fill('Sign-up handler');
    await page.getByRole('button', { name: 'Create the key' }).click();
    serverKey = (await page.getByRole('dialog').locator('code').first().innerText()).trim();
    expect(serverKey).toMatch(/^pst_server_live_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    // The code on the page contains the key until the page is left.
    expect(await page.getByLabel('One call, with a server key', { exact: true }).innerText()).toContain(
      serverKey,
    );
    await page.getByLabel('Framework').selectOption('Express');
    expect(await page.getByLabel('Set the environment', { exact: true }).innerText()).toContain(serverKey);
    const tag = page.getByLabel('The page', { exact: true });
    await tag.filter({ hasText: /sdk\/postern-[\w-]+\.js"\s+integrity="sha384-/ }).waitFor();
    await page.reload();
    await page.getByText('Sign-up handler').waitFor();
    expect(await page.content()).not.toContain(serverKey);
  });

  it('shows a request with that key in the log, with every check explained', async () => {
    expect((await validate(serverKey, 'info@mailinator.com')).status).toBe(200);
    await go('/validations');
    await page.getByRole('link', { name: 'i***@mailinator.com' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('heading', { name: 'The request' }).waitFor();
    await drawer.getByText(/throwaway.* The policy blocks such sign-ups/).waitFor();
    await drawer
      .getByRole('article', { name: /Disposable/ })
      .getByText('Technical details')
      .click();
    await drawer.getByText('dataVersion').first().waitFor();
    expect(await drawer.innerText()).not.toContain('info@mailinator.com');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('keeps filters in the address bar', async () => {
    await showOnlyAllowed();
    expect(page.url()).toContain('recommendation=allow');
    await page.reload();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('link', { name: 'i***@mailinator.com' }).waitFor();
  });

  it('exports what the filters show', async () => {
    const rowsOf = async () => {
      const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
      const answer = await page.request.get(href ?? '');
      expect(answer.headers()['content-type']).toContain('text/csv');
      return (await answer.text()).trim().split('\n').slice(1);
    };
    expect(await rowsOf()).toEqual([expect.stringContaining('i***@mailinator.com')]);
    await showOnlyAllowed();
    expect(await rowsOf()).toEqual([]);
  });

  it('counts it in the overview', async () => {
    await go('');
    await page.getByRole('img', { name: /0 allowed, 0 flagged and 1 blocked/ }).waitFor();
  });

  it('regenerates the key twice, and only the newest works', async () => {
    await go('/keys');
    for (let time = 0; time < 2; time += 1) {
      await page.getByRole('button', { name: 'Regenerate' }).click();
      await page.getByRole('button', { name: 'Regenerate the key' }).click();
      await page.getByText('Your server key').waitFor();
      const fresh = (await page.getByRole('dialog').locator('code').first().innerText()).trim();
      expect(fresh).not.toBe(serverKey);
      expect((await validate(serverKey, 'no address')).status).toBe(401);
      serverKey = fresh;
      // The key is accepted; only the address is not.
      expect((await validate(serverKey, 'no address')).status).toBe(400);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect((await validate(serverKey, 'jane.doe@gmail.com')).status).toBe(200);
  });

  it('replays history before a policy is saved, and applies the policy to the next request', async () => {
    expect((await validate(serverKey, 'info@mail-house.net')).json?.recommendation).toBe('flag');
    await go('/policy');
    await choose('Role address', 'Block');
    await choose('Disposable', 'Allow');
    await page.getByText('2 changes not saved yet').waitFor();
    await page.getByRole('button', { name: 'See what would change' }).click();
    const machine = page.getByRole('dialog');
    await machine.getByText('3 validations replayed').waitFor();
    await machine.getByText('i***@mail-house.net').waitFor();
    // The new policy was tried but not saved, so the old one still applies.
    expect((await validate(serverKey, 'info@mail-house.net')).json?.recommendation).toBe('flag');
    await machine.getByRole('button', { name: 'Save the policy' }).click();
    await page.getByText('The policy is saved and applies to new requests').waitFor();
    expect((await validate(serverKey, 'info@mail-house.net')).json?.recommendation).toBe('block');
  });

  it('replaces a message in one language', async () => {
    await go('/policy');
    await page.getByLabel('Own messages in').selectOption('de');
    const field = page.getByRole('textbox', { name: 'Role address' });
    await page.getByPlaceholder('Bitte verwenden Sie Ihre persönliche').waitFor();
    await field.fill('Bitte die eigene Adresse.');
    await page.getByText('1 change not saved yet').waitFor();
    await page.getByRole('button', { name: 'See what would change' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save the policy' }).click();
    await page.getByText('The policy is saved and applies to new requests').first().waitFor();
    const message = async (locale: string) =>
      (await validate(serverKey, 'info@mail-house.net', locale)).json?.message;
    expect(await message('de')).toBe('Bitte die eigene Adresse.');
    expect(await message('en')).toMatch(/^Please use your personal email address/);
  });

  it('shows which pattern allows an origin', async () => {
    await go('/origins');
    await page.getByLabel('Try an origin').fill('http://localhost:3000');
    await page.getByText('Allowed by').waitFor();
    await page.getByLabel('Try an origin').fill('https://elsewhere.example');
    await page.getByText('Refused with 403').waitFor();
  });

  it('applies the project’s own list to the next request', async () => {
    await go('/lists');
    await page.getByRole('radio', { name: /^Always block/ }).check();
    await page.getByLabel('Entry', { exact: true }).fill('not a domain');
    await page.getByRole('button', { name: 'Add…' }).click();
    await page.getByRole('dialog').getByText('is not an address').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Entry', { exact: true }).fill('outlook.com');
    await page.getByRole('button', { name: 'Add…' }).click();
    await sendListed(page.getByRole('dialog'), 'Block');
    await page.getByRole('cell', { name: 'outlook.com', exact: true }).waitFor();
    const { json } = await validate(serverKey, 'sam@outlook.com');
    expect(json).toMatchObject({ recommendation: 'block', checks: { disposable: { pass: true } } });
    expect(json?.signals).toContain('block_listed');
  });

  it('archives the project after its ID was typed, and restores it', async () => {
    await go('/settings');
    await page.getByRole('button', { name: 'Archive…' }).click();
    expect(await page.getByRole('button', { name: 'Archive the project' }).isDisabled()).toBe(true);
    await page.getByLabel(/to confirm/).fill(projectId);
    await page.getByRole('button', { name: 'Archive the project' }).click();
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    expect((await validate(serverKey, 'jane.doe@gmail.com')).status).toBe(403);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Archive…' }).waitFor();
    expect((await validate(serverKey, 'jane.doe@gmail.com')).status).toBe(200);
  });

  it('has recorded every change in the audit log', async () => {
    await go('/audit');
    for (const what of ['created the project', 'created a key', 'regenerated a key', 'changed the project']) {
      await page.getByRole('table').getByText(what).first().waitFor();
    }
    expect(await page.getByText(OWNER.name).count()).toBeGreaterThan(3);
  });

  it('invites an analyst of one project, who sees nothing of others', async () => {
    const other = await service.makeProject({ id: 'secret-project', name: 'Secret project' });
    await page.goto('/dashboard/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('selected projects', { exact: true }).click();
    await dialog.locator('select').first().waitFor();
    const named = dialog.getByLabel(/^Role in (?!Secret)/).first();
    await named.selectOption('analyst');
    const analyst = await join('Anna Analyst', 'anna@example.com');
    expect(await analyst.page.getByText('Secret project').count()).toBe(0);
    expect(await analyst.page.getByRole('link', { name: 'Members' }).count()).toBe(0);
    await analyst.page.goto(`/dashboard/projects/${projectId}/bulk`);
    await analyst.page.getByLabel(/Drop a CSV file/).waitFor();
    await analyst.page.goto(`/dashboard/projects/${projectId}/keys`);
    await analyst.page.getByText('Sign-up handler').waitFor();
    expect(await analyst.page.getByRole('button', { name: /Regenerate|Revoke|New key/ }).count()).toBe(0);
    // Analysts change the lists, and nothing else of the settings.
    await analyst.page.goto(`/dashboard/projects/${projectId}/lists`);
    await analyst.page.getByLabel('Entry', { exact: true }).fill('partner.example.com');
    await analyst.page.getByRole('button', { name: 'Add…' }).click();
    await sendListed(analyst.page.getByRole('dialog'), 'Always allow');
    const added = analyst.page.getByRole('cell', { name: 'partner.example.com', exact: true });
    await added.waitFor();
    await analyst.page.getByRole('button', { name: 'Undo' }).click();
    await added.waitFor({ state: 'detached' });
    expect(await analyst.page.getByRole('button', { name: /^(Save|Archive)/, disabled: false }).count()).toBe(
      0,
    );
    await analyst.page.goto(`/dashboard/projects/${other.id}`);
    await analyst.page.getByText(`There is no project '${other.id}'.`).waitFor();
    await analyst.context.close();

    await page.reload();
    await page.getByText(/^analyst of /).waitFor();
    await page.getByRole('button', { name: 'Change the role of Anna Analyst' }).click();
    await page.getByRole('dialog').getByText('viewer', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Save the role' }).click();
    await page.getByText('The role of Anna Analyst is changed.').waitFor();
  });

  it('invites a viewer, who can see everything and change nothing, even through the API', async () => {
    await page.goto('/dashboard/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    const viewer = await join('Vera Viewer', 'vera@example.com');
    expect(await viewer.page.getByRole('button', { name: 'New project' }).count()).toBe(0);

    await viewer.page.goto(`/dashboard/projects/${projectId}/keys`);
    await viewer.page.getByText('Sign-up handler').waitFor();
    expect(await viewer.page.getByRole('button', { name: /Regenerate|Revoke|New key/ }).count()).toBe(0);
    await viewer.page.goto(`/dashboard/projects/${projectId}/policy`);
    await viewer.page.getByText('You can read the policy').waitFor();
    expect(await viewer.page.locator('fieldset:not([disabled]) input[type=radio]').count()).toBe(
      await viewer.page.getByRole('group', { name: 'Colours' }).locator('input').count(),
    );

    const refused = await viewer.page.evaluate(async (id) => {
      const { csrf } = await (await fetch('/dashboard/api/v1/session')).json();
      const headers = { 'Content-Type': 'application/json', 'X-Postern-Csrf': csrf };
      const asks: [string, string, object][] = [
        ['POST', '/projects', { name: 'Mine' }],
        ['PATCH', `/projects/${id}`, { name: 'Mine' }],
        ['POST', `/projects/${id}/keys`, { type: 'client' }],
        ['POST', `/projects/${id}/archive`, {}],
        ['POST', '/invites', { role: 'owner' }],
      ];
      return Promise.all(
        asks.map(async ([method, path, body]) => {
          const request = { method, headers, body: JSON.stringify(body) };
          return (await fetch(`/dashboard/api/v1${path}`, request)).status;
        }),
      );
    }, projectId);
    expect(refused).toEqual([403, 403, 403, 403, 403]);
    expect(viewer.complaints).toEqual([]);
    await viewer.context.close();
  });

  it('finds pages by a few letters', async () => {
    await go('');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('allowed dom');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Allowed domains', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByLabel('Try an origin').waitFor();
    await page.locator('#content :focus').waitFor();
  });

  it('signs out, and every page asks to sign in again and leads back', async () => {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`/dashboard/projects/${projectId}/policy`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The address or the password is wrong').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
  });

  it('signs out everywhere', async () => {
    const other = await visit(browser, service);
    await signInByForm(other.page, OWNER.email);
    await page.goto('/dashboard/account');
    await settled(page);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.page.getByRole('link', { name: 'Members' }).click();
    await other.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await other.context.close();
  });

  it('sent no request to another host, and the pages logged no errors', () => {
    expect(owner.outside).toEqual([]);
    expect(owner.complaints).toEqual([]);
  });
});
