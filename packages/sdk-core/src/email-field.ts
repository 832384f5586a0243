import { checkLocally, MALFORMED_MESSAGE } from './check-locally.ts';
import { isPosternError, type PosternError } from './postern-error.ts';
import { UNAVAILABLE_MESSAGE, type Validation } from './validation.ts';
import { createValidationCache } from './validation-cache.ts';
import type { ValidationClient } from './validation-client.ts';

/**
 * `malformed` is no address; `unchecked` could not be checked and may pass all the same, because the client
 * fails open.
 */
export type EmailFieldStatus =
  | 'idle'
  | 'checking'
  | 'allowed'
  | 'flagged'
  | 'blocked'
  | 'malformed'
  | 'unchecked';

export interface EmailFieldState {
  readonly value: string;
  readonly status: EmailFieldStatus;
  /** For the person at the form; `null` when there is nothing to say. */
  readonly message: string | null;
  /** A better spelling of the address, to be offered and never forced. */
  readonly suggestion: string | null;
  readonly validation: Validation | null;
  readonly error: PosternError | null;
}

export interface EmailFieldOptions {
  /** How long to wait after the field was left before the service is asked. 300 unless told. */
  debounceMs?: number;
  texts?: Partial<EmailFieldTexts>;
}

export interface EmailFieldTexts {
  malformed: string;
  unavailable: string;
}

/** One email field of a form, without any user interface: `attach()` and the React hook are skins of it. */
export interface EmailField {
  getState(): EmailFieldState;
  subscribe(listener: () => void): () => void;
  /** Call it on every change. Clears the previous result; does not ask the service. */
  setValue(value: string): void;
  /** Call it when the field loses focus. Checks locally at once and asks the service after `debounceMs`. */
  blur(): void;
  /** Call it before submitting. Resolves with the final state, without waiting for `debounceMs`. */
  validateNow(): Promise<EmailFieldState>;
  /** Call it when the form is sent. A backend accepts each verdict once, so the next submit asks for a new one. */
  submitted(): void;
  acceptSuggestion(): void;
  dispose(): void;
}

export function canSubmit(state: EmailFieldState): boolean {
  return state.status === 'allowed' || state.status === 'flagged' || state.status === 'unchecked';
}

const EMPTY: EmailFieldState = {
  value: '',
  status: 'idle',
  message: null,
  suggestion: null,
  validation: null,
  error: null,
};

export function createEmailField(client: ValidationClient, options: EmailFieldOptions = {}): EmailField {
  const texts = { malformed: MALFORMED_MESSAGE, unavailable: UNAVAILABLE_MESSAGE, ...options.texts };
  const cache = createValidationCache();
  const listeners = new Set<() => void>();
  let state = EMPTY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: { controller: AbortController; settled: Promise<void> } | null = null;

  const show = (changes: Partial<EmailFieldState>) => {
    state = { ...state, ...changes };
    for (const listener of [...listeners]) listener();
  };

  const forget = () => {
    clearTimeout(timer);
    inFlight?.controller.abort();
    inFlight = null;
  };

  /** Whether the service has still to be asked. */
  const answerAtOnce = (): boolean => {
    const address = state.value.trim();
    if (address === '') return false;
    const { wellFormed, suggestion } = checkLocally(address);
    if (!wellFormed) {
      show({ status: 'malformed', message: texts.malformed, suggestion: null });
      return false;
    }
    // The cache decides even for what is on show: a form left open outlives its verdict.
    const known = cache.get(address);
    if (known !== null) {
      if (known !== state.validation) show(stateOf(known));
      return false;
    }
    show({ suggestion });
    return true;
  };

  const ask = (): Promise<void> => {
    clearTimeout(timer);
    if (inFlight !== null) return inFlight.settled;
    const address = state.value.trim();
    const controller = new AbortController();
    const asking = { controller, settled: Promise.resolve() };
    inFlight = asking;
    // An older validation of this address goes too: its verdict was used or has grown old.
    show({ status: 'checking', message: null, validation: null, error: null });
    asking.settled = client.validate(address, { signal: controller.signal }).then(
      (validation) => {
        // An answer to a value that was typed over since is nobody’s business any more.
        if (inFlight !== asking) return;
        inFlight = null;
        if (validation.source === 'service') cache.set(address, validation);
        const { suggestion } = stateOf(validation);
        show({ ...stateOf(validation), suggestion: suggestion ?? state.suggestion });
      },
      (error: unknown) => {
        if (inFlight !== asking) return;
        inFlight = null;
        show(refusedState(error));
      },
    );
    return asking.settled;
  };

  const refusedState = (error: unknown): Partial<EmailFieldState> => {
    // Whatever else is thrown is a fault of ours and must not stop a sign-up either.
    const typed = isPosternError(error) ? error : null;
    if (typed?.label === 'INVALID_EMAIL') {
      return { status: 'malformed', message: texts.malformed, suggestion: null, error: typed };
    }
    if (client.whenUnavailable !== 'closed') return { status: 'unchecked', message: null, error: typed };
    return { status: 'blocked', message: texts.unavailable, error: typed };
  };

  const setValue = (value: string) => {
    if (value === state.value) return;
    forget();
    show({ ...EMPTY, value });
  };

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    setValue,
    blur: () => {
      clearTimeout(timer);
      if (answerAtOnce()) timer = setTimeout(() => void ask(), options.debounceMs ?? 300);
    },
    validateNow: async () => {
      if (answerAtOnce()) await ask();
      return state;
    },
    submitted: () => cache.delete(state.value.trim()),
    acceptSuggestion: () => {
      if (state.suggestion === null) return;
      setValue(state.suggestion);
      if (answerAtOnce()) void ask();
    },
    dispose: () => {
      forget();
      listeners.clear();
    },
  };
}

const STATUS = { allow: 'allowed', flag: 'flagged', block: 'blocked' } as const;

function stateOf(validation: Validation): Partial<EmailFieldState> {
  const { message, suggestion, recommendation, source, failure } = validation;
  const status = source === 'failOpen' ? 'unchecked' : STATUS[recommendation];
  return { status, message, suggestion, validation, error: failure };
}
