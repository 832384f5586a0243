import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../checkout.mjs';
import { FILLED_FOR_SITE, render } from '../docs.mjs';
import { imageHtml } from './image-html.mjs';
import { readNavigation, upFrom } from './navigation.mjs';
import { pageHtml } from './page-template.mjs';
import { renderMarkdown } from './render-markdown.mjs';

const ASSETS = {
  'assets/site.css': 'scripts/docs-site/assets/site.css',
  'assets/site.js': 'scripts/docs-site/assets/site.js',
  'assets/theme.js': 'scripts/docs-site/assets/theme.js',
  'assets/search.js': 'scripts/docs-site/assets/search.js',
  'assets/minisearch.js': 'node_modules/minisearch/dist/umd/index.js',
  'assets/icon.svg': 'packages/dashboard/public/icon.svg',
};
/** The front page again, with links for `/docs`, which has no slash at its end. */
const FRONT_PAGE = 'front.html';
/** Its address can be anywhere below `/docs`, so its links are absolute. */
const NOT_FOUND = '404.html';
/** Files of the repository that an operator downloads. */
const DOWNLOADS =
  /^deploy\/(?:(?:prometheus|grafana)\/|compose|helm\/postern\/values)[\w./-]*\.(?:ya?ml|json)$/;
/** Most readers use Postern and do not work on it. */
const CONTRIBUTORS = 'Contribute';

/**
 * The whole site in memory: `files` has the content of each file by its path, and `problems` names every link to a
 * page or a heading that does not exist. `reference` is the HTML of the API reference.
 */
export function buildSite({ reference, version }) {
  const groups = readNavigation();
  const pages = groups.flatMap((group) => group.pages);
  const site = { pages, files: new Map(), links: [] };
  const rendered = pages.map((page) => ({ page, ...renderPage(site, page, upFrom(page.url), reference) }));
  for (const { page, html, headings } of rendered)
    site.files.set(
      page.url,
      pageHtml({ page, up: upFrom(page.url), content: html, headings, groups, version }),
    );
  const front = rendered.find(({ page }) => page.url === 'index.html');
  if (front === undefined)
    throw new Error('docs/navigation.json has no docs/README.md, which is the front page');
  const { html, headings } = renderPage({ ...site, links: [] }, front.page, 'docs/', reference);
  site.files.set(
    FRONT_PAGE,
    pageHtml({ page: front.page, up: 'docs/', content: html, headings, groups, version }),
  );
  site.files.set(NOT_FOUND, notFoundPage(groups, version));
  for (const page of pages)
    if (page.file !== undefined) site.files.set(markdownUrl(page), markdownOf(site, page));
  site.files.set('llms.txt', pageList(groups));
  for (const [url, file] of Object.entries(ASSETS)) site.files.set(url, readFileSync(join(ROOT, file)));
  site.files.set('assets/search-index.js', searchIndex(rendered, groups));
  return { files: site.files, pages, problems: brokenLinks(site.links, rendered) };
}

function renderPage(site, page, up, reference) {
  if (page.file === undefined) return readReference(reference);
  return renderMarkdown(sourceOf(page), {
    resolveLink: (href) => resolveLink(site, page, up, href),
    renderImage: (href, alt, options) =>
      imageHtml(inRepository(page, href), { alt, ...options }, (file) => useFile(site, up, file)),
  });
}

function sourceOf({ file }) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return FILLED_FOR_SITE.includes(file) ? render(text) : text;
}

/** Copies a picture to the site and returns its address. */
function useFile(site, up, file) {
  const url = `images/${posix.basename(file)}`;
  const content = readFileSync(join(ROOT, file));
  const present = site.files.get(url);
  if (present !== undefined && !present.equals(content)) throw new Error(`Two pictures are called ${url}`);
  site.files.set(url, content);
  return up + url;
}

function resolveLink(site, page, up, href) {
  if (/^[a-z]+:/.test(href)) return { href };
  const [path, anchor] = href.split('#');
  const target = path === '' ? page : site.pages.find(({ file }) => file === inRepository(page, path));
  if (target !== undefined) {
    site.links.push({ page, href, target, anchor });
    return { href: (path === '' ? '' : up + target.url) + (anchor === undefined ? '' : `#${anchor}`) };
  }
  const file = inRepository(page, path);
  if (DOWNLOADS.test(file)) return { href: up + download(site, file) };
  if (!existsSync(join(ROOT, file))) site.links.push({ page, href });
  return { file };
}

function download(site, file) {
  const url = `files/${posix.basename(file)}`;
  site.files.set(url, readFileSync(join(ROOT, file)));
  return url;
}

function notFoundPage(groups, version) {
  const content =
    '<h1 id="not-found">There is no such page</h1><p>Use the search, or begin at <a href="/docs">the front page</a>.</p>';
  const page = { title: 'Not found', url: NOT_FOUND };
  return pageHtml({ page, up: '/docs/', content, headings: [], groups, version });
}

function markdownUrl({ url }) {
  return url.replace(/\.html$/, '.md');
}

/** The page’s source, with links to the other pages’ sources. */
function markdownOf(site, page) {
  return sourceOf(page).replace(/\]\(([^)\s:#]+\.md)(#[^)\s]*)?\)/g, (link, path, anchor = '') => {
    const target = site.pages.find(({ file }) => file === inRepository(page, path));
    return target === undefined ? link : `](${upFrom(page.url)}${markdownUrl(target)}${anchor})`;
  });
}

/** `llms.txt`: every page as Markdown, for programs that read. */
function pageList(groups) {
  const lines = groups.map(({ title, pages }) => {
    const items = pages.map(
      (page) => `- [${page.title}](${page.file === undefined ? page.url : markdownUrl(page)})`,
    );
    return `## ${title}\n\n${items.join('\n')}\n`;
  });
  return `# Postern\n\n> A self-hosted service that says whether a sign-up should go through: allow, flag or block, with reasons.\n\n${lines.join('\n')}`;
}

function inRepository(page, path) {
  return posix.join(posix.dirname(page.file), path);
}

/** The links whose page or heading does not exist, one line for each. */
function brokenLinks(links, rendered) {
  const anchors = new Map(
    rendered.map(({ page, headings }) => [page, new Set(headings.map(({ id }) => id))]),
  );
  return links
    .filter(
      ({ target, anchor }) =>
        target === undefined || (anchor !== undefined && !anchors.get(target).has(anchor)),
    )
    .map(({ page, href }) => `${page.file}: there is no ${href}`);
}

/** Headings and text of the API reference, which is HTML already. */
function readReference(html) {
  const headings = [];
  const sections = [];
  for (const part of html.split(/(?=<h[123][ >])/)) {
    const [whole, depth, id = '', inner] = /^<h([123])(?: id="([^"]*)")?>(.*?)<\/h\1>/s.exec(part) ?? [];
    if (whole === undefined) continue;
    headings.push({ depth: Number(depth), id, text: textOf(inner) });
    sections.push({ id, heading: textOf(inner), text: textOf(part.slice(whole.length)) });
  }
  return { html, headings, sections };
}

function textOf(html) {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code)))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Pages for people who know what they look up. The search shows pages that explain first. */
const LOOKED_UP =
  /^(api-reference\.html|docs\/(cli|dashboard-api)\.md|docs\/recipes\/webhooks\.md|bench\/RESULTS\.md)$/;

/** A script and not JSON, because a page that was opened from a folder may load only scripts. */
function searchIndex(rendered, groups) {
  const forContributors = new Set(groups.find(({ title }) => title === CONTRIBUTORS)?.pages);
  const sections = rendered.flatMap(({ page, sections }) =>
    sections.map(({ id, heading, text }, index) => ({
      url: index === 0 ? page.url : `${page.url}#${id}`,
      page: page.title,
      heading: index === 0 ? '' : heading,
      text,
      weight: forContributors.has(page) ? 0.3 : LOOKED_UP.test(page.file ?? page.url) ? 0.5 : 1,
    })),
  );
  return `globalThis.posternSearchIndex = ${JSON.stringify(sections)};\n`;
}
