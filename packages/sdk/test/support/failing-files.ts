import type { Page } from 'playwright';

/**
 * Makes the scripts with these names fail, until `restore` is called, in a browser that remembers failed imports.
 * Chromium up to version 149 keeps a module that could not be loaded as failed for the life of the page and never asks
 * for it again; later versions ask again. Here the second request of such a module fails as well, so that the product
 * cannot rely on it, whichever browser runs. Requests of `fetch` are not remembered by any browser.
 */
export async function failFiles(page: Page, names: RegExp): Promise<{ restore: () => void }> {
  let failing = true;
  const remembered = new Set<string>();
  await page.route(/\.js$/, async (route) => {
    const request = route.request();
    const url = request.url();
    const isModule = request.resourceType() === 'script';
    const fails = (failing && names.test(url)) || (isModule && remembered.has(url));
    if (fails && isModule) remembered.add(url);
    await (fails ? route.abort() : route.fallback());
  });
  return {
    restore: () => {
      failing = false;
    },
  };
}
