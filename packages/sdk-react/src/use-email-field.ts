import {
  canSubmit,
  createEmailField,
  type EmailFieldOptions,
  type EmailFieldState,
  type ValidationClient,
} from '@postern/sdk-browser';
import { useCallback, useEffect, useId, useMemo, useRef, useSyncExternalStore } from 'react';

export interface UseEmailFieldOptions extends EmailFieldOptions {
  /** The input’s name. `email` unless told. */
  name?: string;
  /** The hidden field’s name. `postern-verdict` unless told. */
  verdictField?: string;
}

/** What the form’s own handler gets once the address may pass. */
export interface SubmittedEmail {
  email: string;
  /** For the backend; `null` when the service could not be asked. */
  verdict: string | null;
  state: EmailFieldState;
}

export interface EmailFieldBinding extends EmailFieldState {
  readonly verdict: string | null;
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
    readonly 'aria-describedby': string;
  };
  /** For the element that shows the message. Render it always: a region that comes with its text is not read out. */
  readonly messageProps: { readonly id: string; readonly role: 'status'; readonly 'aria-live': 'polite' };
  /** For the `<button>` that takes the suggestion. */
  readonly suggestionProps: {
    readonly type: 'button';
    readonly hidden: boolean;
    readonly onClick: () => void;
  };
  /** For a hidden `<input>`, when the browser itself submits the form. */
  readonly verdictProps: { readonly type: 'hidden'; readonly name: string; readonly value: string };
  /** An `onSubmit` that calls the handler only with an address that may pass. */
  handleSubmit(
    handler: (submitted: SubmittedEmail) => unknown,
  ): (event: { preventDefault(): void }) => Promise<void>;
}

/** One email field. Create `client` once, outside of components. */
export function useEmailField(
  client: ValidationClient,
  options: UseEmailFieldOptions = {},
): EmailFieldBinding {
  // Texts and delay are read once; a new object on every render must not make a new field.
  const initialOptions = useRef(options).current;
  const field = useMemo(() => createEmailField(client, initialOptions), [client, initialOptions]);
  const state = useSyncExternalStore(field.subscribe, field.getState, field.getState);
  useEffect(() => field.dispose, [field]);

  const messageId = useId();
  const input = useRef<HTMLInputElement | null>(null);
  const ref = useCallback((element: HTMLInputElement | null) => {
    input.current = element;
  }, []);

  /** Typed before React took the page over, or changed by a script: React itself hears of neither. */
  const readInput = useCallback(() => {
    if (input.current !== null) field.setValue(input.current.value);
  }, [field]);
  useEffect(readInput, [readInput]);

  const submitting = useRef(false);
  const settleAndHandle = async (handler: (submitted: SubmittedEmail) => unknown) => {
    readInput();
    const settled = await field.validateNow();
    const email = settled.value.trim();
    // Whether a form may go without an address is for its `required` to say.
    if (email !== '' && !canSubmit(settled)) {
      input.current?.focus();
      return;
    }
    // Even when the handler fails afterwards: the backend may have used the verdict by then.
    field.submitted();
    await handler({ email, verdict: settled.validation?.verdict ?? null, state: settled });
  };
  const handleSubmit: EmailFieldBinding['handleSubmit'] = (handler) => async (event) => {
    event.preventDefault();
    if (submitting.current) return;
    submitting.current = true;
    await settleAndHandle(handler).finally(() => {
      submitting.current = false;
    });
  };

  const verdict = state.validation?.verdict ?? null;
  return {
    ...state,
    verdict,
    inputProps: {
      ref,
      name: options.name ?? 'email',
      type: 'email',
      autoComplete: 'email',
      value: state.value,
      onChange: (event) => field.setValue(event.target.value),
      onBlur: () => {
        readInput();
        field.blur();
      },
      'aria-invalid': state.status === 'blocked' || state.status === 'malformed',
      'aria-describedby': messageId,
    },
    messageProps: { id: messageId, role: 'status', 'aria-live': 'polite' },
    suggestionProps: {
      type: 'button',
      hidden: state.suggestion === null,
      onClick: () => {
        field.acceptSuggestion();
        input.current?.focus();
      },
    },
    verdictProps: { type: 'hidden', name: options.verdictField ?? 'postern-verdict', value: verdict ?? '' },
    handleSubmit,
  };
}
