import { describe, expect, it } from 'vitest';
import { matchesOrigin, parseOriginPattern } from './origin-pattern.ts';

function allows(pattern: string, origin: string): boolean {
  const parsed = parseOriginPattern(pattern);
  if (parsed === undefined) throw new Error(`${pattern} is not a pattern`);
  return matchesOrigin(origin, [parsed]);
}

describe('an allowed domain', () => {
  it.each([
    ['example.com', 'https://example.com'],
    ['example.com', 'http://example.com'],
    ['Example.COM', 'https://EXAMPLE.com'],
    ['https://example.com/', 'https://example.com'],
    ['*.example.com', 'https://a.example.com'],
    ['*.example.com', 'https://a.b.example.com'],
    ['localhost:3000', 'http://localhost:3000'],
    ['localhost:*', 'http://localhost:5173'],
    ['localhost:*', 'http://localhost'],
    ['example.com:443', 'https://example.com'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
    ['app://com.example.app', 'app://com.example.app'],
    ['app://com.Example.App', 'app://com.example.app'],
    ['capacitor://localhost', 'capacitor://localhost'],
    ['ionic://localhost', 'ionic://localhost'],
    ['tauri://localhost', 'tauri://localhost'],
    ['chrome-extension://abcdefghijklmnop', 'chrome-extension://abcdefghijklmnop'],
    ['moz-extension://0a1b-2c', 'moz-extension://0a1b-2c'],
  ])('%s allows %s', (pattern, origin) => {
    expect(allows(pattern, origin)).toBe(true);
  });

  it.each([
    ['example.com', 'https://example.com:8443'],
    ['example.com', 'https://www.example.com'],
    ['example.com', 'https://example.com.evil.test'],
    ['example.com', 'https://evilexample.com'],
    ['example.com', 'https://example.com@evil.test'],
    ['example.com', 'https://evil.test/example.com'],
    ['example.com', 'https://example.com/'],
    ['example.com', 'https://example.com:443'],
    ['example.com', 'https://example.com.'],
    ['example.com', 'https://example.com, https://evil.test'],
    ['example.com', 'https://example.com https://evil.test'],
    ['example.com', 'https://example.com?x'],
    ['example.com', 'https://example.com#x'],
    ['example.com', 'ftp://example.com'],
    ['example.com', 'example.com'],
    ['example.com', 'app://example.com'],
    ['example.com', 'null'],
    ['example.com', ''],
    ['https://example.com', 'http://example.com'],
    ['*.example.com', 'https://example.com'],
    ['*.example.com', 'https://evilexample.com'],
    ['*.example.com', 'https://a.example.com:8443'],
    ['localhost:3000', 'http://localhost:3001'],
    ['localhost:3000', 'http://localhost'],
    ['localhost:*', 'http://localhost.evil.test:3000'],
    ['localhost:*', 'http://localhost:*'],
    ['localhost:*', 'http://localhost:99999'],
    ['*.shop.example', 'https://a.sho\u{AD}p.example'],
    ['bücher.example', 'https://bücher.example'],
    ['capacitor://localhost', 'ionic://localhost'],
    ['capacitor://localhost', 'http://localhost'],
    ['capacitor://localhost', 'capacitor://localhost:8100'],
    ['capacitor://localhost', 'capacitor://evil'],
    ['localhost', 'capacitor://localhost'],
    ['localhost:*', 'tauri://localhost'],
    ['chrome-extension://abc', 'chrome-extension://abcd'],
    ['app://com.example.app', 'app://com.example.app2'],
    ['app://com.example.app', 'app://com.example.app/'],
    ['app://com.example.app', 'https://com.example.app'],
  ])('%s does not allow %s', (pattern, origin) => {
    expect(allows(pattern, origin)).toBe(false);
  });

  it('that does not exist allows nobody', () => {
    expect(matchesOrigin('https://example.com', [])).toBe(false);
  });

  it.each([
    '',
    '*',
    '*.',
    'null',
    'a b.com',
    'example.com/path',
    'user@example.com',
    'ftp://example.com',
    'app://',
    'capacitor://',
    'chrome-extension://a/b',
    'example.com:',
    'example.com:0',
    '-a.com',
    'x'.repeat(400),
  ])('%j is not a pattern, or matches no web page', (text) => {
    const pattern = parseOriginPattern(text);
    // `null` spells a host name; the opaque origin `null` still never matches it.
    if (pattern !== undefined) expect(matchesOrigin('null', [pattern])).toBe(false);
    else expect(pattern).toBeUndefined();
  });
});
