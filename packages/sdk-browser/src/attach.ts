import {
  createEmailField,
  type EmailField,
  type EmailFieldOptions,
  type EmailFieldState,
  type EmailFieldTexts,
  mayPass,
  type PosternClient,
} from '@postern/sdk-core';
import { addFormElements, type FormElements, findForm, findInput } from './form-elements.ts';

export interface AttachTexts extends EmailFieldTexts {
  /** Read out and shown beside the button. */
  suggestion: (address: string) => string;
  /** The button’s own words. */
  accept: (address: string) => string;
}

export interface AttachOptions extends Omit<EmailFieldOptions, 'texts'> {
  /** The email field, or a selector for it inside the form. */
  field?: HTMLInputElement | string;
  /** The hidden field’s name. `postern-verdict` unless told. */
  verdictField?: string;
  /** Where message and suggestion go, instead of after the field. */
  place?: HTMLElement;
  texts?: Partial<AttachTexts>;
}

export interface Attached {
  readonly field: EmailField;
  detach(): void;
}

/** The form fires it on every change, with the field’s state as `detail`. */
export const CHANGE_EVENT = 'postern:change';

const TEXTS = {
  suggestion: (address: string) => `Did you mean ${address}?`,
  accept: (address: string) => `Use ${address}`,
};

/** Validates on leaving the field and on submitting, and holds the form back only when the answer is no. */
export function attach(
  client: PosternClient,
  target: HTMLFormElement | string,
  options: AttachOptions = {},
): Attached {
  const form = findForm(target);
  const input = findInput(form, options.field);
  const elements = addFormElements(
    form,
    input,
    options.verdictField ?? 'postern-verdict',
    options.place ?? null,
  );
  const { texts, ...fieldOptions } = options;
  const field = createEmailField(client, { ...fieldOptions, ...(texts !== undefined && { texts }) });

  field.subscribe(() => {
    const state = field.getState();
    if (input.value !== state.value) input.value = state.value;
    render(elements, state, { ...TEXTS, ...texts });
    form.dispatchEvent(new CustomEvent(CHANGE_EVENT, { detail: state, bubbles: true }));
  });

  const listeners = new AbortController();
  const { signal } = listeners;
  const submission = createSubmission(form, input, field);
  input.addEventListener('input', () => field.type(input.value), { signal });
  input.addEventListener('blur', () => submission.renew(() => field.leave()), { signal });
  // Capture, so that the page’s own listeners see the form only once it may go.
  form.addEventListener('submit', submission.onSubmit, { signal, capture: true });
  form.addEventListener('reset', () => field.type(''), { signal });
  elements.suggestion.addEventListener(
    'click',
    () => {
      field.acceptSuggestion();
      input.focus();
    },
    { signal },
  );

  return {
    field,
    detach: () => {
      listeners.abort();
      field.dispose();
      elements.remove();
      delete input.dataset.postern;
    },
  };
}

function render(
  elements: FormElements,
  state: EmailFieldState,
  texts: Pick<AttachTexts, 'suggestion' | 'accept'>,
): void {
  const { input, message, suggestion, verdict } = elements;
  const offer = state.suggestion === null ? null : texts.suggestion(state.suggestion);
  const text = [state.message, offer].filter((part) => part !== null).join(' ');
  // Writing the same text again would have it read out again.
  if (message.textContent !== text) message.textContent = text;
  suggestion.hidden = state.suggestion === null;
  suggestion.textContent = state.suggestion === null ? '' : texts.accept(state.suggestion);
  verdict.value = state.validation?.verdict ?? '';
  input.dataset.postern = state.status;
  if (state.status === 'blocked' || state.status === 'malformed') input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

/** The submit event comes twice: held back while the address is settled, then let through. */
function createSubmission(form: HTMLFormElement, input: HTMLInputElement, field: EmailField) {
  let passing = false;
  let settling = false;
  let sent = false;

  /** A verdict serves one submission, yet stays in the form until the next one: the page may read it late. */
  const renew = (then: () => void) => {
    if (sent) field.submitted();
    sent = false;
    field.type(input.value);
    then();
  };

  const settle = async (submitter: HTMLElement | null) => {
    settling = true;
    const state = await field.settle();
    // A remembered answer comes while the event is still under way, when a form cannot be submitted again.
    await new Promise((resolve) => setTimeout(resolve));
    settling = false;
    if (!mayPass(state)) {
      input.focus();
      return;
    }
    passing = true;
    form.requestSubmit(submitter?.isConnected ? submitter : null);
    passing = false;
    sent = true;
  };

  const onSubmit = (event: SubmitEvent) => {
    const skips = event.submitter instanceof HTMLButtonElement && event.submitter.formNoValidate;
    if (passing || skips || input.value.trim() === '') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (settling) return;
    renew(() => void settle(event.submitter));
  };

  return { onSubmit, renew };
}
