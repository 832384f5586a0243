import { afterEach, expect, it, vi } from 'vitest';
import { applyTheme, readTheme } from './theme.ts';

afterEach(() => vi.unstubAllGlobals());

it('a browser that blocks site data shows the page, with a choice that lasts as long', () => {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  const dataset: { theme?: string } = {};
  vi.stubGlobal('document', { documentElement: { dataset } });
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  expect(readTheme()).toBe('system');
  applyTheme('dark');
  expect(dataset.theme).toBe('dark');
  applyTheme('system');
  expect(dataset.theme).toBeUndefined();
});
