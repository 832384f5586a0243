/**
 * Reserves a line for the message, so that the form does not jump when it appears. `:where` lets any rule of the site
 * win, and a strict content security policy allows an adopted style sheet.
 */
const SPACE =
  ':where(.postern-help){display:flex;flex-wrap:wrap;gap:0 .5em;min-height:2em}:where(.postern-message){margin:0}';

/** How a field looks that its site gives no style to. The colours follow the page’s, also in dark mode. */
const FIELD = `${SPACE}:where(.postern-field){display:grid;gap:.35em;font:inherit;max-width:26em}
:where(.postern-label){font-weight:600}
:where(.postern-input){font:inherit;color:inherit;background:transparent;padding:.55em .7em;border:1px solid color-mix(in srgb,currentColor 45%,transparent);border-radius:.4em}
:where(.postern-input:focus-visible){outline:2px solid var(--postern-accent,#2563eb);outline-offset:1px}
:where(.postern-input[aria-invalid=true]){border-color:var(--postern-refused,#dc2626)}
:where(.postern-field .postern-message){font-size:.9em;line-height:1.6}
:where(.postern-suggestion:not([hidden])){font:inherit;font-size:.9em;color:inherit;background:transparent;padding:.1em .6em;border:1px solid currentColor;border-radius:.4em;cursor:pointer}`;

const sheets = new Map<string, CSSStyleSheet>();

/** `root` is the document, or the shadow root that the form is in. */
export function reserveSpace(root: Node): void {
  adopt(root, SPACE);
}

/** The look of `<EmailField>`. For framework bindings. */
export function styleField(root: Node): void {
  adopt(root, FIELD);
}

function adopt(root: Node, rules: string): void {
  const scope = root as Document | ShadowRoot;
  // Older browsers have no adopted style sheets. The form works there without the reserved line.
  if (!scope.adoptedStyleSheets) return;
  const sheet = sheets.get(rules) ?? new CSSStyleSheet();
  if (!sheets.has(rules)) sheet.replaceSync(rules);
  sheets.set(rules, sheet);
  scope.adoptedStyleSheets = [...new Set([...scope.adoptedStyleSheets, sheet])];
}
