import { Marked } from 'marked';
import { escapeHtml } from './escape-html.mjs';
import { highlightCode } from './highlight-code.mjs';

/** Characters of code that fit into a column of a table. */
const LONGEST_NAME = 24;

/**
 * Renders one page. `resolveLink` gets a link’s target and returns the `href`, or `undefined` for a file that the site
 * does not have. `renderImage` gets source and text and returns HTML. The result has the HTML, the headings, and the
 * page’s text by section for the search.
 */
export function renderMarkdown(text, { resolveLink, renderImage }) {
  const headings = [];
  const newId = createIds();
  let inTable = false;
  const renderer = { heading, link, image, table, code, codespan, blockquote, html: () => '' };
  const marked = new Marked({ gfm: true, renderer });
  const tokens = marked.lexer(text);
  const html = marked.parser(tokens);
  return { html, headings, sections: sectionsOf(tokens, headings) };

  function heading({ tokens: inner, depth }) {
    const plain = plainText(inner);
    const id = newId(plain);
    headings.push({ depth, id, text: plain });
    const content = this.parser.parseInline(inner);
    if (depth === 1) return `<h1 id="${id}">${content}</h1>\n`;
    return `<h${depth} id="${id}">${content}<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(plain)}”">#</a></h${depth}>\n`;
  }

  function link({ href, tokens: inner }) {
    const content = this.parser.parseInline(inner);
    // Markdown takes the `password@host` in a server’s URL for a mail address.
    if (href.startsWith('mailto:')) return content;
    const target = resolveLink(href);
    if (target.href === undefined)
      return `<span class="source" title="${escapeHtml(target.file)} in the source">${content}</span>`;
    const outside = /^https?:/.test(target.href) ? ' rel="noreferrer"' : '';
    return `<a href="${escapeHtml(target.href)}"${outside}>${content}</a>`;
  }

  function image({ href, text: alt }) {
    // A table of pictures shows light and dark beside each other, so they stay as they are.
    return renderImage(href, alt, { followsScheme: !inTable });
  }

  /**
   * A wide table scrolls by itself. Keyboards can scroll it only if it can have the focus. On phones, the cells of a
   * table with sentences are shown below each other, each with the name of its column.
   */
  function table({ header, rows }) {
    inTable = true;
    const hasSentences = rows.flat().some(({ tokens: inner }) => plainText(inner).length > 40);
    // A long name in the first column leaves a phone no room for the second one.
    const hasLongNames = rows.some(([first]) =>
      first.tokens.some((token) => token.type === 'codespan' && token.text.length > LONGEST_NAME),
    );
    const isStacked = hasSentences && (header.length > 2 || hasLongNames);
    const labels = header.map(({ tokens: inner }, index) => (index === 0 ? '' : plainText(inner)));
    const cell = ({ tokens: inner }, label) =>
      `<td${isStacked && label !== '' ? ` data-label="${escapeHtml(label)}"` : ''}>${this.parser.parseInline(inner)}</td>`;
    const head = header.map(({ tokens: inner }) => `<th>${this.parser.parseInline(inner)}</th>`).join('');
    const body = rows.map(
      (cells) => `<tr>${cells.map((one, index) => cell(one, labels[index])).join('')}</tr>`,
    );
    inTable = false;
    const label = escapeHtml(headings.at(-1)?.text ?? 'Table');
    return `<div class="table${isStacked ? ' stacked' : ''}" tabindex="0" role="region" aria-label="Table: ${label}"><table><thead><tr>${head}</tr></thead>
<tbody>${body.join('\n')}</tbody></table></div>\n`;
  }

  /** In a table, a name that fits into a column is never broken in the middle. Longer code is. */
  function codespan({ text: content }) {
    const isName = inTable && content.length <= LONGEST_NAME;
    return `<code${isName ? ' class="name"' : ''}>${escapeHtml(content)}</code>`;
  }

  /** GitHub’s `> [!WARNING]` and others are boxes with a name. */
  function blockquote({ tokens: inner }) {
    const html = this.parser.parse(inner);
    const [mark, kind] = /^<p>\[!([A-Z]+)\]\s*/.exec(html) ?? [];
    if (mark === undefined) return `<blockquote>\n${html}</blockquote>\n`;
    const name = kind[0] + kind.slice(1).toLowerCase();
    return `<div class="callout ${kind.toLowerCase()}" role="note"><p><strong>${name}</strong></p>\n<p>${html.slice(mark.length)}</div>\n`;
  }

  function code({ text: content, lang }) {
    const label = escapeHtml(lang || 'text');
    return `<pre tabindex="0" data-language="${label}"><code>${highlightCode(content, lang)}\n</code></pre>\n`;
  }
}

/** IDs as GitHub makes them, so that one link works there and here. */
function createIds() {
  const used = new Map();
  return (text) => {
    const id = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = used.get(id) ?? 0;
    used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

/** The page’s text under each of its headings, as `{ id, heading, text }`. */
function sectionsOf(tokens, headings) {
  const sections = [];
  const ids = headings.values();
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { id, text } = ids.next().value;
      sections.push({ id, heading: text, text: '' });
    } else if (sections.length > 0) {
      sections.at(-1).text += `${plainText([token])} `;
    }
  }
  return sections.map((section) => ({
    ...section,
    text: section.text.replace(/\[![A-Z]+\]|\s+/g, ' ').trim(),
  }));
}

function plainText(tokens) {
  return tokens.map(tokenText).join('');
}

function tokenText(token) {
  if (token.type === 'html') return '';
  if (token.type === 'table')
    return [token.header, ...token.rows]
      .map((cells) => cells.map((cell) => plainText(cell.tokens)).join(' '))
      .join(' ');
  if (token.type === 'list') return token.items.map((item) => plainText(item.tokens)).join(' ');
  if (token.tokens !== undefined) return plainText(token.tokens);
  return unescapeHtml(token.text ?? '');
}

const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

function unescapeHtml(text) {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]);
}
