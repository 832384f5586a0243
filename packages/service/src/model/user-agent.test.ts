import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { automationOf, BROWSER_PRODUCTS, HTTP_LIBRARY_PRODUCTS, isBrowserUserAgent } from './user-agent.ts';

interface Labelled {
  readonly userAgent: string;
  readonly browser: boolean;
  readonly automated: boolean;
  readonly why: string;
}

const corpus = JSON.parse(
  readFileSync(new URL('../../../../eval/user-agent/corpus.json', import.meta.url), 'utf8'),
) as readonly Labelled[];

describe('the labelled user agents', () => {
  it.each(corpus)('$why: $userAgent', ({ userAgent, browser, automated }) => {
    expect({
      browser: isBrowserUserAgent(userAgent),
      automated: automationOf(userAgent) !== undefined,
    }).toEqual({ browser, automated });
  });
});

describe('isBrowserUserAgent', () => {
  it('recognises each listed browser product on its own', () => {
    for (const product of BROWSER_PRODUCTS) expect(isBrowserUserAgent(`${product}/1.0`), product).toBe(true);
  });

  it('does not take a library for a browser, alone or behind a borrowed browser string', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36';
    for (const library of HTTP_LIBRARY_PRODUCTS) {
      expect(isBrowserUserAgent(library), library).toBe(false);
      expect(isBrowserUserAgent(`${library}/1.0`), library).toBe(false);
      expect(isBrowserUserAgent(`${library}/1.0 (+https://example.com) ${chrome}`), library).toBe(false);
    }
  });

  it('accepts any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (userAgent) => {
        expect(typeof isBrowserUserAgent(userAgent)).toBe('boolean');
        automationOf(userAgent);
      }),
    );
  });

  it('does not backtrack on long hostile strings', () => {
    for (const piece of ['(', ')', '/', 'a/', 'Mozilla/5.0 (', 'headless', '-']) {
      const userAgent = piece.repeat(200_000 / piece.length);
      isBrowserUserAgent(userAgent);
      automationOf(userAgent);
    }
  });
});

describe('automationOf', () => {
  it('names the tool as the list spells it', () => {
    expect(automationOf('mozilla/5.0 headlesschrome/131')).toBe('HeadlessChrome');
  });

  it('does not call a backend’s library an automated browser', () => {
    for (const library of ['node', 'python-requests/2.32.3', 'Go-http-client/2.0', 'okhttp/4.12.0']) {
      expect(automationOf(library)).toBeUndefined();
    }
  });
});
