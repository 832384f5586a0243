import Prism from 'prismjs';
import loadLanguages from 'prismjs/components/index.js';
import { escapeHtml } from './escape-html.mjs';

loadLanguages.silent = true;
loadLanguages(['bash', 'csharp', 'go', 'java', 'json', 'nginx', 'php', 'python', 'ruby', 'tsx']);
const LIKE_PAGES = ['vue', 'svelte', 'astro'];

/** Code as HTML in which comments, strings, keywords and so on have a class. Other languages are only escaped. */
export function highlightCode(code, language) {
  const name = LIKE_PAGES.includes(language) ? 'html' : language;
  const grammar = Object.hasOwn(Prism.languages, name) ? Prism.languages[name] : undefined;
  return grammar === undefined ? escapeHtml(code) : Prism.highlight(code, grammar, name);
}
