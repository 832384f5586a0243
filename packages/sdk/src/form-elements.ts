export interface FormElements {
  readonly input: HTMLInputElement;
  /** Announced by screen readers whenever its text changes. */
  readonly message: HTMLElement;
  /** In the page only while there is a suggestion, so that a test’s `button` still finds the site’s own. */
  readonly suggestion: HTMLButtonElement;
  /** Around both. */
  readonly help: HTMLElement;
  remove(): void;
}

/** What `attach()` adds to a form. */
export function addFormElements(input: HTMLInputElement, place: HTMLElement | null): FormElements {
  const message = document.createElement('p');
  message.className = 'postern-message';
  message.id = uniqueId();
  // Screen readers announce the text only if the region is in the page before the text is.
  message.setAttribute('role', 'status');
  message.setAttribute('aria-live', 'polite');

  const suggestion = document.createElement('button');
  suggestion.type = 'button';
  suggestion.className = 'postern-suggestion';

  const help = document.createElement('div');
  help.className = 'postern-help';
  // The text may run from right to left in a page that does not.
  help.dir = 'auto';
  help.append(message);
  if (place !== null) place.append(help);
  // Inside a label the message would become part of the field’s name.
  else (input.closest('label') ?? input).after(help);
  reserveSpace(help.getRootNode());

  const describedBy = input.getAttribute('aria-describedby');
  input.setAttribute('aria-describedby', describedBy === null ? message.id : `${describedBy} ${message.id}`);
  return {
    input,
    message,
    suggestion,
    help,
    remove: () => {
      help.remove();
      input.removeAttribute('aria-invalid');
      input.removeAttribute('aria-busy');
      const others = input
        .getAttribute('aria-describedby')
        ?.split(/\s+/)
        .filter((id) => id !== message.id);
      if (others?.length) input.setAttribute('aria-describedby', others.join(' '));
      else input.removeAttribute('aria-describedby');
    },
  };
}

/**
 * Sends the verdict with the form. The form gets no hidden field for it: Chromium restores what a person typed, after
 * “Back”, only into a form that still has the fields it had when the page was loaded. A field of that name that is in
 * the page’s HTML is filled in, for code that does not use `FormData`.
 */
export function sendVerdict(
  form: HTMLFormElement,
  name: string,
  signal: AbortSignal,
): (verdict: string) => void {
  let current = '';
  const onFormData = ({ formData }: FormDataEvent) => {
    if (current !== '') formData.set(name, current);
  };
  form.addEventListener('formdata', onFormData, { signal });
  return (verdict) => {
    current = verdict;
    const own = form.elements.namedItem(name);
    if (own instanceof HTMLInputElement) own.value = verdict;
  };
}

/**
 * Writes a value that the page’s own code did not set. React watches the element’s own `value` and would take the next
 * event for one without a change, so the prototype’s setter is used.
 */
export function writeValue(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
}

export function findForm(form: HTMLFormElement | string): HTMLFormElement {
  const found = typeof form === 'string' ? document.querySelector(form) : form;
  if (found instanceof HTMLFormElement) return found;
  throw new TypeError(`Postern found no form at ${String(form)}`);
}

/** What counts as the email field of a form. */
export const EMAIL_INPUT = 'input[type=email], input[name=email], input[autocomplete=email]';

export function findInput(
  form: HTMLElement,
  field: HTMLInputElement | string | undefined = EMAIL_INPUT,
): HTMLInputElement {
  const found = typeof field === 'string' ? form.querySelector(field) : field;
  if (found instanceof HTMLInputElement) return found;
  throw new TypeError('Postern found no email field; name one with the option `field`');
}

function uniqueId(): string {
  let number = 1;
  while (document.getElementById(`postern-message-${number}`) !== null) number += 1;
  return `postern-message-${number}`;
}

/**
 * Reserves a line for the message, so that the form does not jump when it appears. `:where` lets any rule of the site
 * win, and a strict content security policy allows an adopted style sheet.
 */
const SPACE =
  ':where(.postern-help){display:flex;flex-wrap:wrap;gap:0 .5em;min-height:2em}:where(.postern-message){margin:0}:where(.postern-step-up){flex:1 0 100%;display:flex;flex-wrap:wrap;align-items:center;gap:.5em}:where(.postern-step-up>p,.postern-step-up progress){flex:1 0 100%;margin:0}';

let sheet: CSSStyleSheet | undefined;

/** `root` is the document, or the shadow root that the form is in. */
function reserveSpace(root: Node): void {
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
