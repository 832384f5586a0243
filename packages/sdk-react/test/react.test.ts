import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allowed, blocked, type StubAnswer } from '../../sdk-core/test/support/stub-service.ts';
import { buildApp } from './support/build-app.ts';
import { reactApp } from './support/react-app.ts';

describe.each([18, 19] as const)('with React %i', (version) => {
  let html = '';
  const problems: string[] = [];
  const app = reactApp(version, 'client.ts', () => html);

  beforeAll(async () => {
    html = await renderOnServer(version);
  });
  beforeEach(async () => {
    problems.length = 0;
    app.page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`);
    });
    app.page.on('pageerror', (error) => problems.push(error.message));
    await app.page.goto(app.site.origin);
    await app.page.waitForFunction('globalThis.hydrated');
  });

  const status = (expected: string) =>
    app.page.waitForFunction((wanted) => document.querySelector('output')?.textContent === wanted, expected);

  it('renders on the server and hydrates without warnings', async () => {
    expect(await app.page.evaluate('globalThis.reactVersion')).toMatch(new RegExp(`^${version}\\.`));
    await app.page.fill('#hook input', 'jane@example.com');
    expect(await app.page.inputValue('#hook input')).toBe('jane@example.com');
    expect(problems).toEqual([]);
  });

  it('passes a good address and its verdict to the app', async () => {
    await app.page.fill('#hook input', 'jane@example.com');
    await app.page.click('text=Sign up');
    await app.page.waitForFunction('globalThis.signUps.length === 1');
    const [signUp] = (await app.page.evaluate('globalThis.signUps')) as [string, string][];
    expect(signUp?.[0]).toBe('jane@example.com');
    expect(signUp?.[1].split('.')).toHaveLength(3);
  });

  it('does not pass a blocked address to the app and shows why', async () => {
    app.answer = blocked();
    await app.page.fill('#hook input', 'x@mailinator.com');
    await app.page.click('text=Sign up');
    await status('blocked');
    expect(await app.page.textContent('#hook [role=status]')).toBe('Please use a permanent email address.');
    expect(await app.page.getAttribute('#hook input', 'aria-invalid')).toBe('true');
    const describedBy = await app.page.getAttribute('#hook input', 'aria-describedby');
    expect(await app.page.getAttribute('#hook [role=status]', 'id')).toBe(describedBy);
    expect(await app.page.evaluate('globalThis.signUps')).toEqual([]);
    expect(await app.page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
  });

  it('makes one sign-up of a double click, and asks again for the next one', async () => {
    let give: (given: StubAnswer) => void = () => {};
    app.answer = new Promise((resolve) => {
      give = resolve;
    });
    await app.page.fill('#hook input', 'jane@example.com');
    await app.page.click('text=Sign up');
    await app.page.click('text=Sign up');
    await status('checking');
    give(allowed());
    await app.page.waitForFunction('globalThis.signUps.length === 1');
    await app.page.click('text=Sign up');
    await app.page.waitForFunction('globalThis.signUps.length === 2');
    const signUps = (await app.page.evaluate('globalThis.signUps')) as [string, string][];
    expect(signUps[1]?.[1]).not.toBe(signUps[0]?.[1]);
    expect(app.service.requests).toHaveLength(2);
  });

  it('validates what was typed before hydration, and what a script filled in', async () => {
    const early = await app.page.context().newPage();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await early.route('**/client.js', async (route) => {
      await released;
      await route.continue();
    });
    await early.goto(app.site.origin, { waitUntil: 'commit' });
    await early.fill('#hook input', 'jane@example.com');
    release();
    await early.waitForFunction('globalThis.hydrated');
    await early.click('text=Sign up');
    await early.waitForFunction('globalThis.signUps.length === 1');
    expect(await early.evaluate('globalThis.signUps[0][0]')).toBe('jane@example.com');
    await early.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('#hook input');
      if (input !== null) input.value = 'joe@example.com';
    });
    await early.click('text=Sign up');
    await early.waitForFunction('globalThis.signUps.length === 2');
    expect(await early.evaluate('globalThis.signUps[1][0]')).toBe('joe@example.com');
  });

  it('offers the corrected address', async () => {
    await app.page.fill('#hook input', 'jane@gmial.com');
    await app.page.press('#hook input', 'Tab');
    await app.page.getByRole('button', { name: 'Use jane@gmail.com' }).click();
    await status('allowed');
    expect(await app.page.inputValue('#hook input')).toBe('jane@gmail.com');
  });

  it('works as a component too', async () => {
    app.answer = blocked();
    await app.page.fill('[name=second]', 'x@mailinator.com');
    await app.page.press('[name=second]', 'Tab');
    await app.page.getByText('Please use a permanent email address.').waitFor();
    expect(await app.page.getAttribute('[name=second]', 'aria-invalid')).toBe('true');
  });
});

async function renderOnServer(version: 18 | 19): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-react-'));
  try {
    for (const { fileName, code } of await buildApp(version, 'server.ts', 'node')) {
      await writeFile(join(folder, fileName), code);
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const rendered: { html: string } = await import(pathToFileURL(join(folder, 'server.js')).href);
    return rendered.html;
  } finally {
    await rm(folder, { recursive: true });
  }
}
