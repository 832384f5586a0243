import { escapeHtml } from './escape-html.mjs';

/** Strings end on their line, except in shells: an apostrophe in a page’s text must not colour the rest of the code. */
const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/;
const SHELL_STRING = /'[^']*'|"(?:\\.|[^"\\])*"/;
const TEMPLATE = /`(?:\\.|[^`\\])*`/;
const SLASH_COMMENT = /(?<![:\w])\/\/[^\n]*|\/\*[\s\S]*?\*\//;
const HASH_COMMENT = /(?<![^\s])#[^\n]*/;
const NUMBER = /(?<![\w.$-])\d[\d_]*(?:\.\d+)?(?![\w.])/;

const words = (text) => new RegExp(`(?<![\\w$.-])(?:${text.split(' ').join('|')})(?![\\w$-])`);
const SCRIPT_WORDS = words(
  'as async await break case catch class const continue default else export extends false finally for from function if import in instanceof interface let new null of readonly return satisfies switch throw true try type typeof undefined void while',
);

const SCRIPT = {
  comment: SLASH_COMMENT,
  string: either(STRING, TEMPLATE),
  keyword: SCRIPT_WORDS,
  number: NUMBER,
};
const MARKUP = {
  comment: /<!--[\s\S]*?-->/,
  keyword: /<\/?[a-z][\w.-]*|(?<=["'\s\w/])\/?>/i,
  string: /(?<==)(?:"[^"]*"|'[^']*')/,
};
const withHash = (keywords) => ({
  comment: HASH_COMMENT,
  string: STRING,
  keyword: words(keywords),
  number: NUMBER,
});
const withSlashes = (keywords) => ({ ...SCRIPT, string: either(STRING, TEMPLATE), keyword: words(keywords) });

/** What is coloured in each language: the kinds of tokens in the order in which they are tried. */
const LANGUAGES = {
  ts: SCRIPT,
  tsx: SCRIPT,
  js: SCRIPT,
  jsx: SCRIPT,
  json: { string: STRING, keyword: words('true false null'), number: NUMBER },
  sh: {
    comment: HASH_COMMENT,
    string: SHELL_STRING,
    keyword:
      /(?<=^|\n|&& |\| |\$\()(?:curl|docker|git|helm|kubectl|node|npm|npx|openssl|sudo|systemctl)(?= )/,
  },
  html: MARKUP,
  vue: MARKUP,
  svelte: MARKUP,
  astro: MARKUP,
  python: withHash(
    'and as async await def else except for from if import in is None not or raise return True False try with',
  ),
  ruby: withHash('begin def do else end ensure if nil rescue return require then true false unless'),
  nginx: {
    comment: HASH_COMMENT,
    keyword: words('listen location proxy_pass proxy_set_header server server_name'),
  },
  caddy: { comment: HASH_COMMENT, keyword: words('reverse_proxy header header_up') },
  php: { ...withSlashes('as catch echo else false fn function if new null return throw true try use') },
  go: withSlashes(
    'defer else err error for func go if import interface map nil package range return struct type var',
  ),
  java: withSlashes(
    'catch class else false final if import new null private public record return static this throw throws true try var void',
  ),
  csharp: withSlashes(
    'async await catch class else false if new null public record return static string throw true try using var void',
  ),
};

/** Code as HTML in which comments, strings, keywords and numbers have a class. Other languages are only escaped. */
export function highlightCode(code, language) {
  const kinds = LANGUAGES[language];
  if (kinds === undefined) return escapeHtml(code);
  if (kinds !== MARKUP) return colour(code, kinds);
  // Pages contain scripts: between <script> tags, and in Astro’s and Svelte’s head between lines of dashes.
  return code
    .split(/(?<=<script[^>]*>)([\s\S]*?)(?=<\/script>)|(?<=^---\n)([\s\S]*?)(?=^---$)/m)
    .map((part, index) => (part === undefined ? '' : colour(part, index % 3 === 0 ? MARKUP : SCRIPT)))
    .join('');
}

function colour(code, kinds) {
  const pattern = new RegExp(
    Object.entries(kinds)
      .map(([kind, { source }]) => `(?<${kind}>${source})`)
      .join('|'),
    'g',
  );
  let html = '';
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups).find(([, text]) => text !== undefined);
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}

function either(...patterns) {
  return new RegExp(patterns.map(({ source }) => source).join('|'));
}
