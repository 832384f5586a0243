import { describe, expect, it } from 'vitest';
import { allowed, blocked } from '../../sdk-core/test/support/stub-service.ts';
import { reactApp } from './support/react-app.ts';

describe.each([18, 19] as const)('with React %i', (version) => {
  const app = reactApp(version, 'forms.tsx');

  const open = async (form: string) => {
    await app.page.goto(`${app.site.origin}/#${form}`);
    await app.page.waitForSelector('form');
  };
  const send = () => app.page.click('text=Send');
  const sent = async (count: number) => {
    await app.page.waitForFunction((wanted) => Reflect.get(globalThis, 'sent').length === wanted, count);
    return (await app.page.evaluate('sent')) as Record<string, string | null>[];
  };
  const value = () => app.page.inputValue('[name=email]');

  describe('a form that the browser or a server action submits', () => {
    it('sends a fresh verdict each time, and keeps the address after a failed submit', async () => {
      await open('VerdictForm');
      await send();
      await sent(1);
      await app.page.fill('[name=name]', 'Jane');
      expect(await value()).toBe('jane@example.com');
      await send();
      await app.page.fill('[name=name]', 'Jane');
      await sent(2);
      await send();
      const verdicts = (await sent(3)).map((fields) => fields['postern-verdict']);
      for (const verdict of verdicts) expect(verdict?.split('.')).toHaveLength(3);
      expect(new Set(verdicts).size).toBe(3);
    });

    it('is stopped for a blocked address and for a typo', async () => {
      app.answer = blocked();
      await open('VerdictForm');
      await send();
      await app.page.getByText('Please use a permanent email address.').waitFor();
      app.answer = allowed();
      await app.page.fill('[name=email]', 'jane@gmial.com');
      await app.page.press('[name=email]', 'Enter');
      await app.page.getByRole('button', { name: 'Use jane@gmail.com' }).waitFor();
      await expect.poll(() => app.service.requests.length).toBe(2);
      // The form ignores Enter until the answer is there.
      await app.page.waitForFunction("document.querySelector('[name=postern-verdict]')?.value !== ''");
      expect(await app.page.evaluate('sent.length')).toBe(0);
      await app.page.press('[name=email]', 'Enter');
      expect((await sent(1))[0]?.email).toBe('jane@gmial.com');
    });

    it('has a default value and can be set and reset', async () => {
      await open('VerdictForm');
      expect(await value()).toBe('jane@example.com');
      await app.page.click('text=Joe');
      expect(await value()).toBe('joe@example.com');
      await app.page.click('text=Reset');
      await expect.poll(value).toBe('jane@example.com');
    });
  });

  it('a controlled field shows the app’s value and reports changes', async () => {
    await open('ControlledForm');
    await app.page.fill('[name=email]', 'jane@gmial.com');
    expect(await app.page.textContent('output')).toBe('jane@gmial.com');
    await app.page.press('[name=email]', 'Tab');
    await app.page.click('text=Use jane@gmail.com');
    expect(await app.page.textContent('output')).toBe('jane@gmail.com');
    await app.page.click('text=Set');
    expect(await value()).toBe('set@example.com');
    await send();
    expect(await sent(1)).toEqual([{ email: 'set@example.com' }]);
    expect(app.service.requests.at(-1)?.body.email).toBe('set@example.com');
    await app.page.click('text=Clear');
    expect([await value(), await app.page.textContent('output')]).toEqual(['', '']);
  });

  it('the first click on the button counts', async () => {
    await open('ControlledForm');
    await app.page.fill('[name=email]', 'jane');
    const button = app.page.locator('text=Send');
    const box = await button.boundingBox();
    if (box === null) throw new Error('no button');
    await app.page.mouse.move(box.x + 10, box.y + 2);
    await app.page.mouse.down();
    await app.page.waitForFunction(() => document.activeElement?.getAttribute('name') !== 'email');
    expect(await button.boundingBox()).toEqual(box);
    await app.page.mouse.up();
    await app.page.locator('[role=status]:not(:empty)').waitFor();
    // Only the submit returns the focus.
    await app.page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email');
  });

  it('works with react-hook-form', async () => {
    app.answer = blocked();
    await open('HookForm');
    await app.page.fill('[name=name]', 'Jane');
    await app.page.fill('[name=email]', 'x@mailinator.com');
    await send();
    await app.page.getByText('Please use a permanent email address.').waitFor();
    app.answer = allowed();
    await app.page.fill('[name=email]', 'jane@gmial.com');
    await send();
    await app.page.getByText('Did you mean jane@gmail.com?').waitFor();
    await app.page.fill('[name=email]', 'jane@example.com');
    await send();
    await sent(1);
    await send();
    const [first, second] = await sent(2);
    expect(first).toMatchObject({ email: 'jane@example.com', name: 'Jane' });
    expect(first?.verdict?.split('.')).toHaveLength(3);
    expect(second?.verdict?.split('.')).toHaveLength(3);
    expect(second?.verdict).not.toBe(first?.verdict);
  });
});
