import {
  afterMousePress,
  canSubmit,
  createEmailField,
  type EmailField,
  type EmailFieldOptions,
  type EmailFieldState,
  type FormTexts,
  isRepeatedClick,
  loadLanguage,
  type ValidationClient,
  watchMouse,
} from '@postern/sdk-browser';
import { ENGLISH_FORM } from '@postern/sdk-core';
import { useCallback, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useFormReset } from './use-form-reset.ts';
import { useSubmitGate } from './use-submit-gate.ts';

export interface UseEmailFieldOptions extends EmailFieldOptions {
  /** The input’s name. `email` by default. */
  name?: string | undefined;
  /** The hidden field’s name. `postern-verdict` by default. */
  verdictField?: string | undefined;
  /** The language of the messages, such as `de`. By default the `lang` of the form or the page. */
  lang?: string | undefined;
  /** The value, when the app keeps it itself. Use it together with `onChange`. */
  value?: string | undefined;
  /** Called with the new value when the person types, takes the suggestion or resets the form. */
  onChange?: ((value: string) => void) | undefined;
}

/** What the form’s handler receives when the address may pass. */
export interface SubmittedEmail {
  email: string;
  /** For the backend; `null` when the service could not be asked. */
  verdict: string | null;
  state: EmailFieldState;
}

export interface EmailFieldBinding extends EmailFieldState {
  readonly verdict: string | null;
  /** “Did you mean …?” in the form’s language; `null` when there is no suggestion. */
  readonly suggestionText: string | null;
  /** For the button that takes the suggestion, in the form’s language. */
  readonly acceptText: string | null;
  /** All that the message’s element shows: `message` and `suggestionText`. */
  readonly helpText: string;
  /** For `<input>`. */
  readonly inputProps: {
    readonly ref: (element: HTMLInputElement | null) => void;
    readonly name: string;
    readonly type: 'email';
    readonly autoComplete: 'email';
    readonly value: string;
    readonly onChange: (event: { target: { value: string } }) => void;
    readonly onBlur: () => void;
    readonly 'aria-invalid': boolean;
    readonly 'aria-busy': boolean;
    readonly 'aria-describedby': string;
  };
  /**
   * For the element that shows the message. Always render it: screen readers announce the text only if the element was
   * there before.
   */
  readonly messageProps: { readonly id: string; readonly role: 'status'; readonly 'aria-live': 'polite' };
  /** For the `<button>` that accepts the suggestion. */
  readonly suggestionProps: {
    readonly type: 'button';
    readonly hidden: boolean;
    readonly onClick: () => void;
  };
  /**
   * For a hidden `<input>`, when the browser itself submits the form or its `action` is a server action. The form is
   * then held until the address is checked, and each submission carries a verdict of its own.
   */
  readonly verdictProps: {
    readonly ref: (element: HTMLInputElement | null) => void;
    readonly type: 'hidden';
    readonly name: string;
    readonly value: string;
  };
  /** An `onSubmit` that calls the handler only with an address that may pass. */
  handleSubmit(
    handler: (submitted: SubmittedEmail) => unknown,
  ): (event: { preventDefault(): void }) => Promise<void>;
  setValue(value: string): void;
  /** Back to the default value, without result or message. */
  reset(): void;
  /** For form libraries: `true` if the form may be submitted, otherwise the text to show. */
  validate(): Promise<true | string>;
  /** The verdict for the backend. Each is given once; call `validate` before the next. */
  takeVerdict(): string | null;
}

/** One email field. Create `client` once, outside of components. */
export function useEmailField(
  client: ValidationClient,
  options: UseEmailFieldOptions = {},
): EmailFieldBinding {
  const latest = useRef(options);
  // Texts and delay are read once; a new object on every render must not make a new field.
  const initialOptions = useRef(options).current;
  const field = useMemo(() => createInitialField(client, initialOptions), [client, initialOptions]);
  const input = useRef<HTMLInputElement | null>(null);
  const ref = useCallback((element: HTMLInputElement | null) => {
    input.current = element;
  }, []);
  const gate = useSubmitGate(field, input);
  const state = useFieldState(field, gate.writeVerdict);
  useEffect(() => {
    latest.current = options;
  });

  const change = useCallback(
    (value: string) => {
      if (value === field.getState().value) return;
      field.setValue(value);
      latest.current.onChange?.(value);
    },
    [field],
  );
  const controlled = options.value;
  useEffect(() => {
    if (controlled !== undefined) field.setValue(controlled);
  }, [field, controlled]);
  /** Typed before React took the page over, or changed by a script: React itself hears of neither. */
  const readInput = useCallback(() => {
    if (input.current !== null) change(input.current.value);
  }, [change]);
  useEffect(readInput, [readInput]);
  const reset = useCallback(() => {
    const { value } = field.getState();
    field.reset();
    const after = field.getState().value;
    if (after !== value) latest.current.onChange?.(after);
  }, [field]);
  useFormReset(input, gate, reset);
  const formTexts = useLanguage(field, options.lang, input);

  const settle = async () => {
    readInput();
    const settled = await field.validateNow();
    // The input’s `required` decides whether a form may go without an address.
    return { settled, passes: settled.value.trim() === '' || canSubmit(settled) };
  };
  const validate = async () => {
    const { settled, passes } = await settle();
    if (passes) return true;
    return settled.message ?? suggestionTexts(settled, formTexts).suggestionText ?? '';
  };
  const taken = useRef<EmailFieldState['validation']>(null);
  const takeVerdict = () => {
    const { validation } = field.getState();
    field.submitted();
    if (validation === taken.current) return null;
    taken.current = validation;
    return validation?.verdict ?? null;
  };

  const settleAndHandle = async (handler: (submitted: SubmittedEmail) => unknown, isSettled: boolean) => {
    const { settled, passes } = isSettled ? { settled: field.getState(), passes: true } : await settle();
    if (!passes) {
      input.current?.focus();
      return;
    }
    // Even when the handler fails afterwards: the backend may have used the verdict by then.
    field.submitted();
    const verdict = settled.validation?.verdict ?? null;
    await handler({ email: settled.value.trim(), verdict, state: settled });
  };
  const submitting = useRef(false);
  const handleSubmit: EmailFieldBinding['handleSubmit'] = (handler) => async (event) => {
    event.preventDefault();
    const isSettled = gate.takePassed();
    if (submitting.current || (!isSettled && isRepeatedClick())) return;
    submitting.current = true;
    await settleAndHandle(handler, isSettled).finally(() => {
      submitting.current = false;
    });
  };

  const messageId = useId();
  const verdict = state.validation?.verdict ?? null;
  const { suggestionText, acceptText } = suggestionTexts(state, formTexts);
  return {
    ...state,
    verdict,
    suggestionText,
    acceptText,
    helpText: [state.message, suggestionText].filter(Boolean).join(' '),
    inputProps: {
      ref,
      name: options.name ?? 'email',
      type: 'email',
      autoComplete: 'email',
      value: controlled ?? state.value,
      onChange: (event) => change(event.target.value),
      onBlur: () => {
        readInput();
        field.blur();
      },
      'aria-invalid': state.status === 'blocked' || state.status === 'malformed',
      'aria-busy': state.status === 'checking',
      'aria-describedby': messageId,
    },
    messageProps: { id: messageId, role: 'status', 'aria-live': 'polite' },
    suggestionProps: {
      type: 'button',
      hidden: state.suggestion === null,
      onClick: () => {
        field.acceptSuggestion();
        latest.current.onChange?.(field.getState().value);
        input.current?.focus();
      },
    },
    verdictProps: {
      ref: gate.verdictRef,
      type: 'hidden',
      name: options.verdictField ?? 'postern-verdict',
      value: verdict ?? '',
    },
    handleSubmit,
    setValue: change,
    reset,
    validate,
    takeVerdict,
  };
}

function createInitialField(client: ValidationClient, options: UseEmailFieldOptions): EmailField {
  const defaultValue = options.value ?? options.defaultValue ?? '';
  const field = createEmailField(client, { ...options, defaultValue: options.defaultValue ?? '' });
  field.setValue(defaultValue);
  return field;
}

/** The state for drawing. While the mouse button is down nothing is drawn anew, or the click would be lost. */
function useFieldState(field: EmailField, onState: (state: EmailFieldState) => void): EmailFieldState {
  const subscribe = useCallback(
    (listener: () => void) => {
      watchMouse();
      let drawn = field.getState().value;
      return field.subscribe(() => {
        const state = field.getState();
        onState(state);
        if (state.value === drawn) return afterMousePress(listener);
        // Typed text must be rendered immediately.
        drawn = state.value;
        listener();
      });
    },
    [field, onState],
  );
  const state = useSyncExternalStore(subscribe, field.getState, field.getState);
  useEffect(() => field.dispose, [field]);
  return state;
}

function suggestionTexts(
  { suggestion }: EmailFieldState,
  formTexts: FormTexts | null,
): Pick<EmailFieldBinding, 'suggestionText' | 'acceptText'> {
  if (suggestion === null) return { suggestionText: null, acceptText: null };
  const insert = (text: string) => text.replace('{address}', () => suggestion);
  const { suggestion: offer, accept } = formTexts ?? ENGLISH_FORM;
  return { suggestionText: insert(offer), acceptText: insert(accept) };
}

function useLanguage(
  field: EmailField,
  lang: string | undefined,
  input: { readonly current: HTMLInputElement | null },
): FormTexts | null {
  const [formTexts, setFormTexts] = useState<FormTexts | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const tag = lang ?? input.current?.closest<HTMLElement>('[lang]')?.lang ?? '';
    // Before the texts are there: the service needs to know the language with the first check.
    field.setLanguage(tag, null);
    void loadLanguage(tag).then((loaded) => {
      if (!isCurrent) return;
      setFormTexts(loaded);
      field.setLanguage(tag, loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [field, lang, input]);
  return formTexts;
}
