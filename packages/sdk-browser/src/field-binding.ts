import {
  BOUND_FIELD_OPTIONS,
  type BoundFieldActions,
  type BoundFieldOptions,
  type BoundFieldView,
  canSubmit,
  checkOptionNames,
  createEmailField,
  type EmailField,
  type EmailFieldState,
  type FormTexts,
  fieldView,
  type SubmittedEmail,
  type ValidationClient,
} from '@postern/sdk-core';
import { onFormReset } from './form-reset.ts';
import { loadLanguage } from './load-language.ts';
import { afterMousePress, isRepeatedClick, watchMouse } from './mouse-press.ts';
import { joinSubmitGate } from './submit-gate.ts';

export interface FieldOptions extends BoundFieldOptions {
  /** The input’s name. `email` by default. */
  name?: string | undefined;
  /** The hidden field’s name. `postern-verdict` by default. */
  verdictField?: string | undefined;
}

const FIELD_OPTIONS: Readonly<Record<keyof FieldOptions, true>> = {
  ...BOUND_FIELD_OPTIONS,
  name: true,
  verdictField: true,
};

export interface FieldView extends BoundFieldView {
  /** All that the message’s element shows: `message` and `suggestionText`. */
  readonly helpText: string;
  readonly isChecking: boolean;
}

/** What an app does with its field, in every framework. */
export interface FieldActions extends BoundFieldActions {
  /** An `onSubmit` that calls the handler only with an address that may pass. */
  handleSubmit(
    handler: (submitted: SubmittedEmail) => unknown,
  ): (event: { preventDefault(): void }) => Promise<void>;
}

/** One email field whose elements a framework renders. For framework bindings. */
export interface FieldBinding extends FieldActions {
  /** The same object until something changes. */
  getView(): FieldView;
  /** Calls `listener` when there is something to draw. Not while a mouse button is down, or the click would be lost. */
  subscribe(listener: () => void): () => void;
  /** The `<input>`, once it is in its form; `null` when it is removed. */
  setInput(input: HTMLInputElement | null): void;
  /** The hidden `<input>` for the verdict, in the same way. With it the form is held until the address is checked. */
  setVerdictInput(input: HTMLInputElement | null): void;
  /** By default the `lang` of the form or the page. Returns a function that ends this. */
  loadTexts(lang: string | undefined): () => void;
  /** The value that the app keeps. Is not reported back to it. */
  takeValue(value: string): void;
  /** Takes over what is in the input: it may have been typed before the framework was there. */
  readInput(): void;
  blur(): void;
  acceptSuggestion(): void;
  dispose(): void;
}

/** `rendersValue`: the framework itself writes the value into the input and calls `setValue` for each change. */
export function bindEmailField(
  client: ValidationClient,
  options: FieldOptions = {},
  { rendersValue = false }: { rendersValue?: boolean } = {},
): FieldBinding {
  checkOptionNames(options, FIELD_OPTIONS);
  const { lang, value, onChange } = options;
  const field = createEmailField(client, options);
  if (value !== undefined) field.setValue(value);
  let input: HTMLInputElement | null = null;
  let verdictInput: HTMLInputElement | null = null;
  let formTexts: FormTexts | null = null;
  let leaveInput = () => {};
  let leaveGate = () => {};
  /** The gate let a submit through that the form’s own handler has not seen yet. */
  let isPassing = false;
  let wasSubmitted = false;
  let isSubmitting = false;
  let taken: EmailFieldState['validation'] = null;
  let view: FieldView | null = null;
  let drawnState: EmailFieldState | null = null;

  const getView = () => {
    const state = field.getState();
    if (view === null || state !== drawnState) view = viewOf(state, formTexts);
    drawnState = state;
    return view;
  };

  /** Reports a change that the app did not make itself. */
  const changeBy = (change: () => void) => {
    const before = field.getState().value;
    change();
    const after = field.getState().value;
    if (after !== before) onChange?.(after);
  };
  const setValue = (next: string) => changeBy(() => field.setValue(next));
  /** Typed before the framework took the page over, or changed by a script. */
  const read = () => {
    if (input !== null) setValue(input.value);
  };
  const reset = () => {
    changeBy(field.reset);
    // The browser has put the page’s first value there, which is not the app’s default.
    if (input !== null && !rendersValue) input.value = field.getState().value;
  };
  const blur = () => {
    read();
    field.blur();
  };

  const loadTexts = (given: string | undefined) => {
    let isCurrent = true;
    const tag = given ?? input?.closest<HTMLElement>('[lang]')?.lang ?? '';
    // Before the texts are there: the service needs to know the language with the first check.
    field.setLanguage(tag, null);
    void loadLanguage(tag).then((loaded) => {
      if (!isCurrent) return;
      formTexts = loaded;
      field.setLanguage(tag, loaded);
    });
    return () => {
      isCurrent = false;
    };
  };

  /** The input listens to the page itself where the framework does not. */
  const listen = (element: HTMLInputElement): (() => void) => {
    const { signal, abort } = abortable();
    for (const event of ['input', 'change']) element.addEventListener(event, read, { signal });
    element.addEventListener('blur', blur, { signal });
    if (element.value === '') element.value = field.getState().value;
    read();
    const forgetLanguage = loadTexts(lang);
    return () => {
      abort();
      forgetLanguage();
    };
  };

  const settle = async () => {
    read();
    const settled = await field.validateNow();
    // The input’s `required` decides whether a form may go without an address.
    return { settled, passes: settled.value.trim() === '' || canSubmit(settled) };
  };
  const settleAndHandle = async (
    handler: (submitted: SubmittedEmail) => unknown,
    isSettled: boolean,
  ): Promise<void> => {
    const { settled, passes } = isSettled ? { settled: field.getState(), passes: true } : await settle();
    if (!passes) {
      input?.focus();
      return;
    }
    // Even when the handler fails afterwards: the backend may have used the verdict by then.
    field.submitted();
    const verdict = settled.validation?.verdict ?? null;
    await handler({ email: settled.value.trim(), verdict, state: settled });
  };

  return {
    getView,
    subscribe: (listener) => {
      watchMouse();
      let drawn = field.getState().value;
      return field.subscribe(() => {
        const state = field.getState();
        // Directly, because the form may be submitted before the framework renders again.
        if (verdictInput !== null) verdictInput.value = state.validation?.verdict ?? '';
        if (state.value === drawn) return afterMousePress(listener);
        // A new value must be shown immediately.
        drawn = state.value;
        if (!rendersValue && input !== null && input.value !== drawn) input.value = drawn;
        listener();
      });
    },
    setInput: (element) => {
      if (element === input) return;
      leaveInput();
      leaveInput = () => {};
      input = element;
      if (element === null) return;
      const stopListening = rendersValue ? () => {} : listen(element);
      const takeSubmitted = () => {
        const before = wasSubmitted;
        wasSubmitted = false;
        return before;
      };
      const forgetReset = onFormReset(element, { takeSubmitted, reset });
      leaveInput = () => {
        stopListening();
        forgetReset();
      };
    },
    setVerdictInput: (element) => {
      if (element === verdictInput) return;
      leaveGate();
      leaveGate = () => {};
      verdictInput = element;
      if (!element?.form) return;
      const submitted = () => {
        field.submitted();
        isPassing = true;
        wasSubmitted = true;
        // The form’s own handlers run before this.
        setTimeout(() => {
          isPassing = false;
        });
      };
      const gated: EmailField = { ...field, submitted };
      const nowhere = document.createElement('input');
      leaveGate = joinSubmitGate(element.form, {
        get input() {
          return input ?? nowhere;
        },
        field: gated,
      });
    },
    loadTexts,
    takeValue: field.setValue,
    setValue,
    reset,
    readInput: read,
    blur,
    acceptSuggestion: () => {
      changeBy(field.acceptSuggestion);
      input?.focus();
    },
    validate: async () => {
      const { settled, passes } = await settle();
      if (passes) return true;
      return settled.message ?? viewOf(settled, formTexts).suggestionText ?? '';
    },
    takeVerdict: () => {
      const { validation } = field.getState();
      field.submitted();
      if (validation === taken) return null;
      taken = validation;
      return validation?.verdict ?? null;
    },
    handleSubmit: (handler) => async (event) => {
      event.preventDefault();
      const isSettled = isPassing;
      isPassing = false;
      if (isSubmitting || (!isSettled && isRepeatedClick())) return;
      isSubmitting = true;
      await settleAndHandle(handler, isSettled).finally(() => {
        isSubmitting = false;
      });
    },
    dispose: field.dispose,
  };
}

function viewOf(state: EmailFieldState, formTexts: FormTexts | null): FieldView {
  const view = fieldView(state, formTexts);
  return {
    ...view,
    helpText: [state.message, view.suggestionText].filter(Boolean).join(' '),
    isChecking: state.status === 'checking',
  };
}

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
