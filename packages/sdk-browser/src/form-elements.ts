import { reserveSpace } from './field-styles.ts';

export interface FormElements {
  readonly input: HTMLInputElement;
  /** Announced by screen readers whenever its text changes. */
  readonly message: HTMLElement;
  readonly suggestion: HTMLButtonElement;
  /** The hidden field that carries the verdict to the backend. */
  readonly verdict: HTMLInputElement;
  remove(): void;
}

/** What `attach()` adds to a form. */
export function addFormElements(
  form: HTMLFormElement,
  input: HTMLInputElement,
  verdictField: string,
  place: HTMLElement | null,
): FormElements {
  const message = document.createElement('p');
  message.className = 'postern-message';
  message.id = uniqueId();
  // Screen readers announce the text only if the region is in the page before the text is.
  message.setAttribute('role', 'status');
  message.setAttribute('aria-live', 'polite');

  const suggestion = document.createElement('button');
  suggestion.type = 'button';
  suggestion.className = 'postern-suggestion';
  suggestion.hidden = true;

  const verdict = document.createElement('input');
  verdict.type = 'hidden';
  verdict.name = verdictField;

  const help = document.createElement('div');
  help.className = 'postern-help';
  // The text may run from right to left in a page that does not.
  help.dir = 'auto';
  help.append(message, suggestion);
  if (place !== null) place.append(help);
  // Inside a label the message would become part of the field’s name.
  else (input.closest('label') ?? input).after(help);
  form.append(verdict);
  reserveSpace(help.getRootNode());

  const describedBy = input.getAttribute('aria-describedby');
  input.setAttribute('aria-describedby', describedBy === null ? message.id : `${describedBy} ${message.id}`);
  return {
    input,
    message,
    suggestion,
    verdict,
    remove: () => {
      help.remove();
      verdict.remove();
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

export function findForm(form: HTMLFormElement | string): HTMLFormElement {
  const found = typeof form === 'string' ? document.querySelector(form) : form;
  if (found instanceof HTMLFormElement) return found;
  throw new TypeError(`Postern found no form at ${String(form)}`);
}

export function findInput(
  form: HTMLFormElement,
  field: HTMLInputElement | string | undefined,
): HTMLInputElement {
  const named = typeof field === 'string' ? form.querySelector(field) : field;
  const found =
    field === undefined
      ? form.querySelector('input[type=email], input[name=email], input[autocomplete=email]')
      : named;
  if (found instanceof HTMLInputElement) return found;
  throw new TypeError('Postern found no email field; name one with the option `field`');
}

function uniqueId(): string {
  let number = 1;
  while (document.getElementById(`postern-message-${number}`) !== null) number += 1;
  return `postern-message-${number}`;
}
