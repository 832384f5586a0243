import type { ChallengeRequest } from '@postern/contract';
import {
  checkOptionNames,
  createEmailField,
  type EmailField,
  type EmailFieldOptions,
  type EmailFieldState,
  type EmailFieldTexts,
  ENGLISH_FORM,
  type FormTexts,
  type ValidationClient,
} from './core.ts';
import {
  addFormElements,
  type FormElements,
  findForm,
  findInput,
  sendVerdict,
  writeValue,
} from './form-elements.ts';
import { loadLanguage } from './load-language.ts';
import { afterMousePress, watchMouse } from './mouse-press.ts';
import { joinSubmitGate, lostFields } from './submit-gate.ts';

export interface AttachTexts extends EmailFieldTexts {
  /** Announced by screen readers and shown next to the button. */
  suggestion: (address: string) => string;
  /** The text of the button. */
  accept: (address: string) => string;
}

export interface AttachOptions extends Omit<EmailFieldOptions, 'texts' | 'defaultValue'> {
  /** The email field, or a selector for it inside the form. */
  field?: HTMLInputElement | string | undefined;
  /** The name under which the form sends the verdict. `postern-verdict` by default. */
  verdictField?: string | undefined;
  /** The language of the texts, such as `de`. By default the `lang` of the form or of an element around it. */
  lang?: string | undefined;
  /** The element for message and suggestion. By default they come after the field. */
  messageContainer?: HTMLElement | undefined;
  texts?: Partial<AttachTexts> | undefined;
}

export interface Attached {
  readonly field: EmailField;
  detach(): void;
}

/** The event that the form fires on every change, with the field’s state as `detail`. */
export const CHANGE_EVENT = 'postern:change';

const ATTACH_OPTIONS: Readonly<Record<keyof AttachOptions, true>> = {
  field: true,
  verdictField: true,
  lang: true,
  messageContainer: true,
  texts: true,
  debounceMs: true,
  messages: true,
  onFlag: true,
};

/** Detaches each field that is attached. */
const attachedTo = new WeakMap<HTMLInputElement, () => void>();

export function isAttached(input: HTMLInputElement): boolean {
  return attachedTo.has(input);
}

/** Validates when the field loses focus and on submit. Stops the submit only for an address that is refused. */
export function attach(
  client: ValidationClient,
  target: HTMLFormElement | string,
  options: AttachOptions = {},
): Attached {
  checkOptionNames(options, ATTACH_OPTIONS);
  const form = findForm(target);
  const input = findInput(form, options.field);
  // If a page attaches twice, or renders its field again, the later call replaces the earlier one.
  for (const old of [input, ...lostFields(form)]) attachedTo.get(old)?.();
  const elements = addFormElements(input, options.messageContainer ?? null);
  const { texts, ...fieldOptions } = options;
  const field = createEmailField(client, { ...fieldOptions, ...(texts !== undefined && { texts }) });

  const listeners = new AbortController();
  const { signal } = listeners;
  const setVerdict = sendVerdict(form, options.verdictField ?? 'postern-verdict', signal);
  let formTexts: FormTexts | null = null;
  const draw = () => {
    if (!signal.aborted) render(elements, field.getState(), { ...suggestionTexts(formTexts), ...texts });
  };
  watchMouse();
  let shown = '';
  field.subscribe(() => {
    const state = field.getState();
    // Only when a suggestion was accepted. An answer must not undo what a script put into the field in the meantime.
    if (shown !== state.value && input.value !== state.value) writeValue(input, state.value);
    shown = state.value;
    setVerdict(state.validation?.verdict ?? '');
    input.dataset.postern = state.status;
    afterMousePress(draw);
    form.dispatchEvent(new CustomEvent(CHANGE_EVENT, { detail: state, bubbles: true }));
  });
  const lang = options.lang ?? form.closest<HTMLElement>('[lang]')?.lang ?? '';
  field.setLanguage(lang, null);
  void loadLanguage(lang).then((loaded) => {
    formTexts = loaded;
    field.setLanguage(lang, loaded);
  });

  /** Scripts and password managers change a field without an event. */
  const read = () => field.setValue(input.value);
  const askPerson = async () => {
    const challenge = field.getState().validation?.challenge;
    const { answerChallenge } = client;
    if (!challenge || !answerChallenge) return;
    try {
      const answer = (request: ChallengeRequest) => answerChallenge(challenge.id, request);
      await (await import('./step-up.ts')).askPerson({
        field,
        challenge,
        form,
        place: elements.help,
        answer,
      });
    } catch {
      // The sign-up goes on as a flagged one.
      field.settleChallenge(null);
    }
  };
  const leaveGate = joinSubmitGate(form, { input, field, askPerson });
  for (const event of ['input', 'change']) input.addEventListener(event, read, { signal });
  const onBlur = () => {
    read();
    field.blur();
  };
  input.addEventListener('blur', onBlur, { signal });
  // The event comes before the values change, and the page may still cancel it.
  form.addEventListener('reset', () => setTimeout(read), { signal });
  const onAccept = () => {
    field.acceptSuggestion();
    // The same events as for typing, for the page’s own listeners.
    for (const event of ['input', 'change']) input.dispatchEvent(new Event(event, { bubbles: true }));
    input.focus();
  };
  elements.suggestion.addEventListener('click', onAccept, { signal });

  const detach = () => {
    if (attachedTo.get(input) === detach) attachedTo.delete(input);
    listeners.abort();
    leaveGate();
    field.dispose();
    elements.remove();
    delete input.dataset.postern;
  };
  attachedTo.set(input, detach);
  return { field, detach };
}

function suggestionTexts(formTexts: FormTexts | null): Pick<AttachTexts, 'suggestion' | 'accept'> {
  const insert = (text: string) => (address: string) => text.replace('{address}', () => address);
  return {
    suggestion: insert((formTexts ?? ENGLISH_FORM).suggestion),
    accept: insert((formTexts ?? ENGLISH_FORM).accept),
  };
}

function render(
  elements: FormElements,
  state: EmailFieldState,
  texts: Pick<AttachTexts, 'suggestion' | 'accept'>,
): void {
  const { input, message, suggestion } = elements;
  const offer = state.suggestion === null ? null : texts.suggestion(state.suggestion);
  const text = [state.message, offer].filter(Boolean).join(' ');
  // Setting the same text again would make screen readers announce it again.
  if (message.textContent !== text) message.textContent = text;
  suggestion.textContent = state.suggestion && texts.accept(state.suggestion);
  if (offer === null) suggestion.remove();
  else if (!suggestion.isConnected) message.after(suggestion);
  // On the field and not around the message: screen readers do not read out what is inside something busy.
  if (state.status === 'checking') input.setAttribute('aria-busy', 'true');
  else input.removeAttribute('aria-busy');
  if (state.status === 'blocked' || state.status === 'malformed') input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}
