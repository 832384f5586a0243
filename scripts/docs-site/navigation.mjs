import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../checkout.mjs';

/**
 * The pages of the docs site in their order, from `docs/navigation.json`. Each page has its Markdown `file`, the
 * `title` in the menu, and its `url` below `/docs/`. Pages outside of `docs/` name their URL themselves. A page
 * that is `below` another one is in the menu of that page and its neighbours only.
 */
export function readNavigation() {
  const groups = JSON.parse(readFileSync(join(ROOT, 'docs', 'navigation.json'), 'utf8'));
  return groups.map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => ({ ...page, group: title, url: page.url ?? urlOf(page.file) })),
  }));
}

/** `docs/decisions/0001-one-round-trip.md` becomes `decisions/0001-one-round-trip.html`. */
function urlOf(file) {
  return file
    .replace(/^docs\//, '')
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/\.md$/, '.html');
}

/** What comes before a page’s address in a link on the page `url`; all addresses are relative to the site’s folder. */
export function upFrom(url) {
  return '../'.repeat(url.split('/').length - 1);
}
