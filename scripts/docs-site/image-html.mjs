import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../checkout.mjs';
import { escapeHtml } from './escape-html.mjs';

/**
 * An image of a page. `use` is called with each file that the site needs and returns its address. With
 * `followsScheme`, a picture `x.png` that has a neighbour `x-dark.png` changes with the reader’s colour scheme. A picture
 * links to its file, where it can be enlarged. The size
 * keeps the text from jumping.
 */
export function imageHtml(file, { alt, followsScheme }, use) {
  const size = sizeOf(file);
  const image = `<img src="${use(file)}" alt="${escapeHtml(alt)}" width="${size.width}" height="${size.height}" loading="lazy">`;
  // A drawing keeps a readable size on phones and scrolls there.
  if (file.endsWith('.svg'))
    return `<span class="drawing" tabindex="0" role="region" aria-label="Drawing">${image}</span>`;
  const dark = file.replace(/\.png$/, '-dark.png');
  const opens = (content) => `<a class="picture" href="${use(file)}">${content}</a>`;
  if (!followsScheme || dark === file || !existsSync(join(ROOT, dark))) return opens(image);
  return opens(
    `<picture><source media="(prefers-color-scheme: dark)" srcset="${use(dark)}">${image}</picture>`,
  );
}

function sizeOf(file) {
  const bytes = readFileSync(join(ROOT, file));
  if (file.endsWith('.png')) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(bytes.toString('utf8')) ?? [];
  if (width === undefined) throw new Error(`${file} needs a viewBox that starts with 0 0`);
  return { width, height };
}
