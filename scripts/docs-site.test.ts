import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@postern/contract/openapi';
import { beforeAll, describe, expect, it } from 'vitest';
import { HELP_PAGES } from '../packages/dashboard/src/shell/help-pages.ts';
import { referenceHtml } from '../packages/service/src/http/routes/docs-page.ts';
import { buildSite } from './docs-site/build-site.mjs';
import { renderMarkdown } from './docs-site/render-markdown.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const listed = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root })
    .toString()
    .trim()
    .split('\n');

interface Page {
  readonly file?: string;
  readonly url: string;
  readonly below?: string;
}
let files: Map<string, string | Buffer>;
let pages: Page[];
let problems: string[];

beforeAll(() => {
  const reference = referenceHtml(openApiDocument('1.2.3'));
  ({ files, pages, problems } = buildSite({ reference, version: '1.2.3' }));
});

describe('the docs site', () => {
  it('has no link to a page or a heading that does not exist', () => {
    expect(problems).toEqual([]);
  });

  it('has every page of docs/ and the README of every package in its menu', () => {
    const wanted = listed('docs/*.md', 'packages/*/README.md', 'README.md', 'CONTRIBUTING.md');
    expect(wanted.length).toBeGreaterThan(30);
    const inMenu = new Set(pages.map(({ file }) => file));
    expect(
      wanted.filter((file) => !inMenu.has(file)),
      'add them to docs/navigation.json',
    ).toEqual([]);
  });

  it('has at most 45 entries in its menu, and shows the others beside the page that they are below', () => {
    expect(pages.filter(({ below }) => below === undefined).length).toBeLessThanOrEqual(45);
    const inMenu = new Set(pages.map(({ file }) => file));
    for (const { below } of pages) expect(below === undefined || inMenu.has(below), below).toBe(true);
    const menuOf = (url: string) => /<nav class="menu".*?<\/nav>/s.exec(String(files.get(url)))?.[0] ?? '';
    expect(menuOf('index.html')).not.toContain('guides/express.html');
    expect(menuOf('sdks.html')).toContain('guides/express.html');
    expect(menuOf('guides/hono.html')).toContain('express.html');
  });

  it('has one address for each page', () => {
    expect(new Set(pages.map(({ url }) => url)).size).toBe(pages.length);
  });

  it('loads nothing from elsewhere and has nothing inline, as its content policy demands', () => {
    for (const [path, content] of files) {
      if (!path.endsWith('.html')) continue;
      const html = content.toString();
      expect(html.match(/<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+="/g) ?? [], path).toEqual([]);
      // The page for dead links can be anywhere, so its links start with /docs.
      const elsewhere =
        path === '404.html' ? /\s(src|srcset)="https?:[^"]*"/g : /\s(src|srcset)="(https?:|\/)[^"]*"/g;
      expect(html.match(elsewhere) ?? [], path).toEqual([]);
    }
  });

  it('links only to files that it has', () => {
    const missing: string[] = [];
    for (const [path, content] of files) {
      if (!path.endsWith('.html')) continue;
      const base = path === 'front.html' ? 'http://site/docs' : `http://site/docs/${path}`;
      for (const [, target = ''] of content.toString().matchAll(/\s(?:href|src|srcset)="([^"]+)"/g)) {
        const { origin, pathname } = new URL(target, base);
        if (origin !== 'http://site' || ['/openapi.json', '/dashboard/'].includes(pathname)) continue;
        const file = pathname.replace(/^\/docs\/?/, '') || 'front.html';
        if (!files.has(file)) missing.push(`${path}: ${target}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it('has the pages and headings that the dashboard’s help opens', () => {
    for (const target of Object.values(HELP_PAGES)) {
      const [path = '', anchor] = target.split('#');
      const html = files.get(path)?.toString() ?? '';
      expect(html, target).toContain(anchor === undefined ? '<h1' : `id="${anchor}"`);
    }
  });

  it('keeps what a reader loads first small', () => {
    const bytes = (path: string) => Buffer.byteLength(files.get(path) ?? '');
    expect(bytes('assets/site.css') + bytes('assets/site.js')).toBeLessThan(20_000);
    expect(bytes('front.html')).toBeLessThan(30_000);
  });

  it('can be built in the image: .dockerignore leaves every page in', () => {
    const rules = readFileSync(`${root}.dockerignore`, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const isIgnored = (file: string) =>
      rules.reduce((ignored, rule) => {
        const pattern = rule
          .replace(/^!/, '')
          .replaceAll('.', '\\.')
          .replaceAll('**/', '(.*/)?')
          .replace(/(?<!\.)\*/g, '[^/]*');
        return new RegExp(`^${pattern}(/|$)`).test(file) ? !rule.startsWith('!') : ignored;
      }, false);
    expect(isIgnored('bench/run.ts')).toBe(true);
    const needed = [...pages.flatMap(({ file }) => file ?? []), ...listed('docs', 'scripts/docs-site*')];
    expect(needed.filter((file) => isIgnored(file) && !file.endsWith('.test.ts'))).toEqual([]);
  });
});

describe('a page', () => {
  const render = (text: string) =>
    renderMarkdown(text, {
      resolveLink: (href: string) => (href.endsWith('.ts') ? { file: href } : { href }),
      renderImage: (href: string, alt: string) => `<img src="${href}" alt="${alt}">`,
    });

  it('gives headings the IDs that GitHub gives them', () => {
    const { headings } = render(
      '# A\n## What `attach()` does\n## The client’s IP address\n## 1. Name it\n## A',
    );
    expect(headings.map(({ id }: { id: string }) => id)).toEqual([
      'a',
      'what-attach-does',
      'the-clients-ip-address',
      '1-name-it',
      'a-1',
    ]);
  });

  it('escapes code and drops raw HTML', () => {
    const { html } = render('# A\n\n```html\n<script>x</script>\n```\n\n<script>alert(1)</script>\n\n`<b>`');
    expect(html).not.toMatch(/<script|<b>/);
    expect(html).toContain('&lt;</span>script');
  });

  it('makes a box of a callout, and names its kind', () => {
    const { html, sections } = render('# A\n\n> [!WARNING]\n> Read **this**.\n\n> A quote.');
    expect(html).toContain('<div class="callout warning" role="note"><p><strong>Warning</strong></p>');
    expect(html).toContain('<p>Read <strong>this</strong>.</p>');
    expect(html).toContain('<blockquote>\n<p>A quote.</p>');
    expect(sections[0]?.text).toBe('Read this. A quote.');
  });

  it('shows a file that is not on the site as text', () => {
    expect(render('# A\n\n[log](../src/log.ts)').html).toContain(
      '<span class="source" title="../src/log.ts in the source">log</span>',
    );
  });

  it('names the column in each cell of a table with sentences, because phones show the cells below each other', () => {
    const sentence = 'A sentence that needs more room than a phone has.';
    const { html } = render(
      `# A\n\n| Setting | Type | Meaning |\n| --- | --- | --- |\n| x | | ${sentence} |`,
    );
    expect(html).toContain(`<td>x</td><td data-label="Type"></td><td data-label="Meaning">${sentence}</td>`);
    expect(render('# A\n\n| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |').html).not.toContain(
      'data-label',
    );
    const twoColumns = (name: string) =>
      render(`# A\n\n| a | Meaning |\n| --- | --- |\n| \`${name}\` | ${sentence} |`).html;
    expect(twoColumns('short')).not.toContain('data-label');
    expect(twoColumns('postgres://user:password@db1,db2/postern')).toContain('data-label="Meaning"');
  });

  it('keeps short names in a table in one piece', () => {
    const { html } = render('# A\n\n`X`\n\n| a | b |\n| --- | --- |\n| 1 | `RATE_LIMITED` |');
    expect(html).toContain('<code>X</code>');
    expect(html).toContain('<code class="name">RATE_LIMITED</code>');
  });

  it('makes no mail link of the password in a URL', () => {
    expect(render('# A\n\nsmtp://user:password@mail.example:587').html).not.toContain('<a ');
  });

  it('lets a picture follow the colour scheme, but not in a table of pictures', () => {
    const followed: string[] = [];
    renderMarkdown('![](one.png)\n\n| light | dark |\n| --- | --- |\n| ![](two.png) | |\n\n![](three.png)', {
      resolveLink: (href: string) => ({ href }),
      renderImage: (href: string, _alt: string, { followsScheme }: { followsScheme: boolean }) => {
        if (followsScheme) followed.push(href);
        return '';
      },
    });
    expect(followed).toEqual(['one.png', 'three.png']);
  });

  it('collects the text of each section for the search', () => {
    const { sections } = render(
      '# A\nfirst\n\n| Setting | Is |\n| --- | --- |\n| `X_Y` | a & b |\n## B\n- two',
    );
    expect(sections).toEqual([
      { id: 'a', heading: 'A', text: 'first Setting Is X_Y a & b' },
      { id: 'b', heading: 'B', text: 'two' },
    ]);
  });
});
