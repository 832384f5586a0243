import type { FormTexts } from '@postern/contract';
import { checkLocally } from './check-locally.ts';
import {
  CHECKING,
  type EmailFieldTexts,
  type FieldMessages,
  type FieldProblem,
  MALFORMED,
  messageOf,
  problemOf,
  UNAVAILABLE,
} from './field-texts.ts';
import { isPosternError, type PosternError } from './postern-error.ts';
import type { Validation } from './validation.ts';
import { createValidationCache } from './validation-cache.ts';
import type { ValidationClient } from './validation-client.ts';

/** `malformed`: not an address. `unchecked`: could not be checked, but may pass, because the client fails open. */
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
  /** The message for the person at the form, or `null`. While the service takes its time, that it is asked. */
  readonly message: string | null;
  /** A corrected address to offer. Never replace the address without asking. */
  readonly suggestion: string | null;
  /** The person has not seen the suggestion yet: stop this submit, and let the next one through. */
  readonly holdForSuggestion: boolean;
  readonly validation: Validation | null;
  readonly error: PosternError | null;
}

export interface EmailFieldOptions {
  /** The value at the start and after `reset()`. */
  defaultValue?: string | undefined;
  /** How long to wait after the field lost focus before asking the service. Default: 300. */
  debounceMs?: number | undefined;
  texts?: Partial<EmailFieldTexts> | undefined;
  /** Own messages by failed check, or a function that picks one. */
  messages?: FieldMessages | undefined;
  /** Called once for each answer that flags an address. The person passes and sees no message. */
  onFlag?: ((validation: Validation) => void) | undefined;
}

/** One email field of a form, without any user interface. `attach()` and the React hook are built on it. */
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
  /** A flagged person proved what the flag asked for, and this is the second verdict; `null`: the sign-up stays flagged. */
  settleChallenge(verdict: string | null): void;
  acceptSuggestion(): void;
  /** Back to the default value, without result or message. */
  reset(): void;
  /**
   * The form’s language, such as `de`. The service answers in it from the next check on. The field’s own texts change at
   * once; `null` is English.
   */
  setLanguage(tag: string, formTexts: FormTexts | null): void;
  dispose(): void;
}

/** Whether the form may be submitted. */
export function canSubmit(state: EmailFieldState): boolean {
  return mayPass(state) && !state.holdForSuggestion;
}

function mayPass(state: EmailFieldState): boolean {
  return state.status === 'allowed' || state.status === 'flagged' || state.status === 'unchecked';
}

const EMPTY: EmailFieldState = {
  value: '',
  status: 'idle',
  message: null,
  suggestion: null,
  holdForSuggestion: false,
  validation: null,
  error: null,
};

/** A suggestion that was visible this long counts as seen. A click on the submit button takes less time. */
const SEEN_AFTER_MS = 1_000;
/** Most answers come sooner, and a text that only flickers is read out all the same. */
const SLOW_AFTER_MS = 500;

export function createEmailField(client: ValidationClient, options: EmailFieldOptions = {}): EmailField {
  const { defaultValue = '', texts = {}, messages } = options;
  const cache = createValidationCache();
  const listeners = new Set<() => void>();
  let state: EmailFieldState = { ...EMPTY, value: defaultValue };
  let problem: FieldProblem | null = null;
  let locale = 'en';
  let formTexts: FormTexts | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let slowTimer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: { controller: AbortController; settled: Promise<void> } | null = null;
  let suggestedAtMs = 0;
  /** The address whose submit was stopped for its suggestion. */
  let heldFor: string | null = null;

  const show = (changes: Partial<EmailFieldState>, nextProblem = problem) => {
    const { suggestion } = state;
    problem = nextProblem;
    state = { ...state, ...changes, message: messageOf(problem, messages, texts, formTexts) };
    if (state.suggestion !== suggestion) suggestedAtMs = Date.now();
    for (const listener of [...listeners]) listener();
  };

  const forget = () => {
    clearTimeout(timer);
    clearTimeout(slowTimer);
    inFlight?.controller.abort();
    inFlight = null;
  };

  /** Whether the service still has to be asked. */
  const answerAtOnce = (): boolean => {
    const address = state.value.trim();
    if (address === '') return false;
    const { wellFormed, suggestion } = checkLocally(address);
    if (!wellFormed) {
      show({ status: 'malformed', suggestion: null }, MALFORMED);
      return false;
    }
    // The cache decides even about the result that is shown, because a form can stay open longer than its verdict is
    // valid.
    const cached = cache.get(address);
    if (cached !== null) {
      if (cached !== state.validation) {
        show({ ...stateOf(cached), suggestion: cached.suggestion ?? suggestion }, problemOf(cached));
      }
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
    // Also drops an older validation of this address, whose verdict was used or is too old.
    show({ status: 'checking', validation: null, error: null }, null);
    slowTimer = setTimeout(() => show({}, CHECKING), SLOW_AFTER_MS);
    asking.settled = client.validate(address, { signal: controller.signal, locale }).then(
      (validation) => {
        // The value was changed in the meantime.
        if (inFlight !== asking) return;
        inFlight = null;
        clearTimeout(slowTimer);
        if (validation.source === 'service') cache.set(address, validation);
        const suggestion = validation.suggestion ?? state.suggestion;
        show({ ...stateOf(validation), suggestion }, problemOf(validation));
        // In its own task, because an error in the site’s handler must not stop the sign-up.
        if (validation.recommendation === 'flag') setTimeout(() => options.onFlag?.(validation));
      },
      (error: unknown) => {
        if (inFlight !== asking) return;
        inFlight = null;
        clearTimeout(slowTimer);
        showFailure(error);
      },
    );
    return asking.settled;
  };

  const showFailure = (error: unknown) => {
    // Any other error is a bug in the SDK and must not stop a sign-up either.
    const typed = isPosternError(error) ? error : null;
    if (typed?.label === 'INVALID_EMAIL') {
      show({ status: 'malformed', suggestion: null, error: typed }, MALFORMED);
    } else if (client.whenUnavailable === 'closed') show({ status: 'blocked', error: typed }, UNAVAILABLE);
    else show({ status: 'unchecked', error: typed }, null);
  };

  const setValue = (value: string) => {
    if (value === state.value) return;
    forget();
    show({ ...EMPTY, value }, null);
  };

  const wasSuggestionSeen = () =>
    heldFor === state.value.trim() ||
    (state.suggestion !== null && Date.now() - suggestedAtMs >= SEEN_AFTER_MS);

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
      const seen = wasSuggestionSeen();
      if (answerAtOnce()) await ask();
      const holdForSuggestion = mayPass(state) && state.suggestion !== null && !seen;
      if (holdForSuggestion) heldFor = state.value.trim();
      if (state.holdForSuggestion !== holdForSuggestion) show({ holdForSuggestion });
      return state;
    },
    submitted: () => cache.delete(state.value.trim()),
    settleChallenge: (verdict) => {
      if (!state.validation?.challenge) return;
      const { challenge: _settled, ...flagged } = state.validation;
      const passed = { recommendation: 'allow', message: null, verdict } as const;
      const validation: Validation = verdict === null ? flagged : { ...flagged, ...passed };
      cache.set(state.value.trim(), validation);
      show({ ...stateOf(validation), suggestion: state.suggestion }, null);
    },
    acceptSuggestion: () => {
      if (state.suggestion === null) return;
      setValue(state.suggestion);
      if (answerAtOnce()) void ask();
    },
    reset: () => {
      forget();
      heldFor = null;
      show({ ...EMPTY, value: defaultValue }, null);
    },
    setLanguage: (tag, next) => {
      locale = tag || 'en';
      formTexts = next;
      show({});
    },
    dispose: () => {
      forget();
      listeners.clear();
    },
  };
}

const STATUS = { allow: 'allowed', flag: 'flagged', block: 'blocked' } as const;

function stateOf(validation: Validation): Partial<EmailFieldState> {
  const { suggestion, recommendation, source, failure } = validation;
  const status = source === 'failOpen' ? 'unchecked' : STATUS[recommendation];
  return { status, suggestion, validation, error: failure };
}
