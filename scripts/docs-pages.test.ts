import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openApiDocument } from '@postern/contract/openapi';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../packages/sdk/test/support/chromium.ts';
import { referenceHtml } from '../packages/service/src/http/routes/docs-page.ts';
import { buildSite } from './docs-site/build-site.mjs';

/** Opens every page of the docs site in a real browser, from a folder, as a reader without a service would. */

const READERS: readonly [string, BrowserContextOptions][] = [
  ['on a phone, dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark', isMobile: true }],
  ['on a desk, light', { viewport: { width: 1366, height: 900 }, colorScheme: 'light' }],
];

let folder: string;
let urls: string[];
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-docs-pages-'));
  const { files, pages } = buildSite({
    reference: referenceHtml(openApiDocument('1.2.3')),
    version: '1.2.3',
  });
  for (const [path, content] of files as Map<string, string | Buffer>) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  urls = (pages as { url: string }[]).map(({ url }) => url);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a reader would see as broken: a page wider than the screen, missing pictures, text that is hard to read. */
async function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const faults: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`is ${scrollWidth} wide on a screen of ${clientWidth}`);
    // A reader with a phone would not notice a column that is out of sight.
    for (const cell of document.querySelectorAll('.stacked td')) {
      const isCut = cell.getBoundingClientRect().right > document.documentElement.clientWidth;
      if (isCut && innerWidth < 800) faults.push(`hides “${cell.textContent}”`);
    }
    for (const image of document.images) {
      image.loading = 'eager';
      await image.decode().catch(() => faults.push(`cannot show ${image.src}`));
    }
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((value) => {
        const share = Number(value) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const backgroundOf = (element: Element | null): string => {
      if (element === null) return 'rgb(255, 255, 255)';
      const { backgroundColor } = getComputedStyle(element);
      return backgroundColor === 'rgba(0, 0, 0, 0)' ? backgroundOf(element.parentElement) : backgroundColor;
    };
    const seen = new Set<string>();
    for (const element of document.querySelectorAll('main *')) {
      const text = [...element.childNodes].some(
        (node) => node.nodeType === 3 && node.textContent?.trim() !== '',
      );
      if (!text || !element.checkVisibility({ opacityProperty: true })) continue;
      const [front, back] = [getComputedStyle(element).color, backgroundOf(element)];
      const [low = 0, high = 0] = [luminance(front), luminance(back)].sort((a, b) => a - b);
      const contrast = (high + 0.05) / (low + 0.05);
      // WCAG 2.2, 1.4.3
      if (contrast < 4.5) seen.add(`${element.tagName} ${element.className}: ${front} on ${back}`);
    }
    return [...faults, ...seen];
  });
}

describe.each(READERS)('the docs site %s', (_, reader) => {
  it('fits, shows its pictures and can be read, on every page', { timeout: 600_000 }, async () => {
    const context = await browser.newContext({ ...reader, locale: 'en-US' });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    for (const url of urls) {
      await page.goto(pathToFileURL(join(folder, url)).href);
      faults.push(...(await faultsOf(page)).map((fault) => `${url}: ${fault}`));
    }
    await context.close();
    expect(urls.length).toBeGreaterThan(60);
    expect(faults).toEqual([]);
  });
});
