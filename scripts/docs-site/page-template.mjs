import { escapeHtml } from './escape-html.mjs';

/**
 * One page as a whole document. All links are relative, so the site also works from a folder or below another path.
 * `up` is the way from the page to the site’s folder. `content` is the page’s HTML.
 */
export function pageHtml({ page, up, content, headings, groups, version }) {
  const link = (url) => up + url;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Postern docs</title>
<link rel="icon" href="${link('assets/icon.svg')}" type="image/svg+xml">
${page.file === undefined ? '' : `<link rel="alternate" type="text/markdown" href="${link(page.url.replace(/\.html$/, '.md'))}">\n`}<script src="${link('assets/theme.js')}"></script>
<link rel="stylesheet" href="${link('assets/site.css')}">
<script defer src="${link('assets/site.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<button class="menu-button" type="button" popovertarget="menu">Menu</button>
<a class="brand" href="${link('index.html')}"><img src="${link('assets/icon.svg')}" alt="" width="24" height="24">Postern <span>docs</span></a>
<div class="search" role="search" hidden>
<input type="search" aria-label="Search the docs" aria-controls="results" placeholder="Search (Ctrl K)" autocomplete="off" spellcheck="false">
<div class="results" id="results" hidden><p role="status"></p><ol></ol></div>
</div>
<nav class="shortcuts" aria-label="Shortcuts"><a href="${link('api-reference.html')}">API reference</a> <a href="/dashboard/">Open the dashboard</a></nav>
<button class="theme" type="button" hidden></button>
</header>
<div class="frame">
<nav class="menu" id="menu" popover aria-label="Pages">${menuHtml(groups, page, link)}</nav>
<main id="content" tabindex="-1">
${contentsHtml(headings, 'contents-inline')}
<article>
${content}
</article>
${neighboursHtml(groups, page, link)}
<footer>Postern ${escapeHtml(version)}. These pages come from your own service and load nothing from elsewhere.${page.file === undefined ? '' : ` <a href="${link(page.url.replace(/\.html$/, '.md'))}">This page as Markdown</a>.`}</footer>
</main>
${contentsHtml(headings, 'contents-aside')}
</div>
</body>
</html>
`;
}

function menuHtml(groups, current, link) {
  return groups
    .map(({ title, pages }) => {
      const shown = pages.filter(({ below }) => [undefined, current.file, current.below].includes(below));
      const items = shown.map((page) => {
        const mark = page === current ? ' aria-current="page"' : '';
        return `<li${page.below === undefined ? '' : ' class="below"'}><a href="${link(page.url)}"${mark}>${escapeHtml(page.title)}</a></li>`;
      });
      const open = pages.includes(current) ? ' open' : '';
      return `<details${open}><summary>${escapeHtml(title)}</summary><ul>${items.join('')}</ul></details>`;
    })
    .join('\n');
}

/** The sections of a long page: beside it on wide screens, above it on others. */
function contentsHtml(headings, className) {
  const sections = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (sections.length < 3) return '';
  const items = sections.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  const list = `<ul>${items.join('')}</ul>`;
  if (className === 'contents-aside')
    return `<nav class="contents-aside" aria-label="On this page"><p>On this page</p>${list}</nav>`;
  return `<nav class="contents-inline" aria-label="On this page"><details><summary>On this page</summary>${list}</details></nav>`;
}

function neighboursHtml(groups, current, link) {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.indexOf(current);
  const [previous, next] = [pages[at - 1], pages[at + 1]];
  const one = (page, label, className) =>
    page === undefined
      ? ''
      : `<a class="${className}" href="${link(page.url)}"><small>${label}</small> ${escapeHtml(page.title)}</a>`;
  return `<nav class="neighbours" aria-label="Previous and next page">${one(previous, 'Previous', 'previous')}${one(next, 'Next', 'next')}</nav>`;
}
