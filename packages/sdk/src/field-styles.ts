/**
 * Reserves a line for the message, so that the form does not jump when it appears. `:where` lets any rule of the site
 * win, and a strict content security policy allows an adopted style sheet.
 */
const SPACE =
  ':where(.postern-help){display:flex;flex-wrap:wrap;gap:0 .5em;min-height:2em}:where(.postern-message){margin:0}:where(.postern-step-up){flex:1 0 100%;display:flex;flex-wrap:wrap;align-items:center;gap:.5em}:where(.postern-step-up>p,.postern-step-up progress){flex:1 0 100%;margin:0}';

let sheet: CSSStyleSheet | undefined;

/** `root` is the document, or the shadow root that the form is in. */
export function reserveSpace(root: Node): void {
  const scope = root as Document | ShadowRoot;
  // Older browsers have no adopted style sheets. The form works there without the reserved line.
  if (!scope.adoptedStyleSheets) return;
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(SPACE);
  }
  if (!scope.adoptedStyleSheets.includes(sheet))
    scope.adoptedStyleSheets = [...scope.adoptedStyleSheets, sheet];
}
