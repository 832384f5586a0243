import {
  canSubmit,
  checkOptionNames,
  createEmailField,
  type EmailField,
  type EmailFieldState,
  findFormTexts,
  type ValidationClient,
} from 'postern~sdk/core';
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import {
  BOUND_FIELD_OPTIONS,
  type BoundFieldActions,
  type BoundFieldOptions,
  type BoundFieldView,
  fieldView,
  type SubmittedEmail,
} from './bound-field.ts';
import { type CodeQuestion, useChallenge } from './use-challenge.ts';

/** `lang` is the app’s language, for example from `expo-localization`. */
export type UseEmailFieldOptions = BoundFieldOptions;

export interface EmailFieldBinding extends BoundFieldView, BoundFieldActions {
  /** For `<TextInput>`. */
  readonly inputProps: {
    readonly value: string;
    readonly onChangeText: (value: string) => void;
    readonly onBlur: () => void;
    readonly autoCapitalize: 'none';
    readonly autoComplete: 'email';
    readonly autoCorrect: false;
    readonly inputMode: 'email';
    readonly textContentType: 'emailAddress';
    readonly 'aria-invalid': boolean;
  };
  /** For the `<Text>` that shows the message. Render it always, so that screen readers announce changes. */
  readonly messageProps: { readonly 'aria-live': 'polite' };
  /** For the button that takes the suggestion. */
  readonly suggestionProps: { readonly onPress: () => void };
  /** The code that a flagged person is asked for; `null` unless `handleSubmit` waits for it. */
  readonly question: CodeQuestion | null;
  /** An `onPress` or `onSubmitEditing` that calls the handler only with an address that may pass. */
  handleSubmit(handler: (submitted: SubmittedEmail) => unknown): () => Promise<void>;
}

/** One email field of a screen. Create `client` once, outside of components. */
export function useEmailField(
  client: ValidationClient,
  options: UseEmailFieldOptions = {},
): EmailFieldBinding {
  const latest = useRef(options);
  // Texts and delay are read once; a new object on every render must not make a new field.
  const initialOptions = useRef(options).current;
  const field = useMemo(() => createInitialField(client, initialOptions), [client, initialOptions]);
  const state = useSyncExternalStore(field.subscribe, field.getState, field.getState);
  useEffect(() => field.dispose, [field]);
  useEffect(() => {
    latest.current = options;
  });
  const { lang = '', value: controlled } = options;
  const formTexts = useMemo(() => findFormTexts(lang), [lang]);
  useEffect(() => field.setLanguage(lang, formTexts), [field, lang, formTexts]);
  useEffect(() => {
    if (controlled !== undefined) field.setValue(controlled);
  }, [field, controlled]);

  const changeBy = useCallback(
    (change: () => void) => {
      const before = field.getState().value;
      change();
      const after = field.getState().value;
      if (after !== before) latest.current.onChange?.(after);
    },
    [field],
  );
  const setValue = useCallback((value: string) => changeBy(() => field.setValue(value)), [changeBy, field]);
  const { question, ask } = useChallenge(client, field);
  const submit = useSubmit(field, ask);
  const view = fieldView(state, formTexts);

  return {
    ...view,
    inputProps: {
      value: controlled ?? state.value,
      onChangeText: setValue,
      onBlur: () => field.blur(),
      autoCapitalize: 'none',
      autoComplete: 'email',
      autoCorrect: false,
      inputMode: 'email',
      textContentType: 'emailAddress',
      'aria-invalid': view.isInvalid,
    },
    messageProps: { 'aria-live': 'polite' },
    suggestionProps: { onPress: () => changeBy(() => field.acceptSuggestion()) },
    question,
    handleSubmit: submit.handleSubmit,
    setValue,
    reset: () => changeBy(() => field.reset()),
    validate: async () => {
      const settled = await field.validateNow();
      if (canSubmit(settled)) return true;
      return settled.message ?? fieldView(settled, formTexts).suggestionText ?? '';
    },
    takeVerdict: submit.takeVerdict,
  };
}

function createInitialField(client: ValidationClient, options: UseEmailFieldOptions): EmailField {
  checkOptionNames(options, BOUND_FIELD_OPTIONS);
  const { value, defaultValue = '' } = options;
  const field = createEmailField(client, { ...options, defaultValue });
  if (value !== undefined) field.setValue(value);
  return field;
}

function useSubmit(
  field: EmailField,
  ask: () => Promise<void>,
): Pick<EmailFieldBinding, 'handleSubmit' | 'takeVerdict'> {
  const submitting = useRef(false);
  const taken = useRef<EmailFieldState['validation']>(null);
  return useMemo(() => {
    const takeVerdict = () => {
      const { validation } = field.getState();
      // A backend accepts each verdict once, so the next submit asks for a new one.
      field.submitted();
      if (validation === taken.current) return null;
      taken.current = validation;
      return validation?.verdict ?? null;
    };
    const submit = async (handler: (submitted: SubmittedEmail) => unknown) => {
      const before = await field.validateNow();
      if (!canSubmit(before)) return;
      await ask();
      const state = field.getState();
      if (!canSubmit(state) || state.value !== before.value) return;
      await handler({ email: state.value.trim(), verdict: takeVerdict(), state });
    };
    return {
      takeVerdict,
      handleSubmit: (handler) => async () => {
        // A double tap.
        if (submitting.current) return;
        submitting.current = true;
        await submit(handler).finally(() => {
          submitting.current = false;
        });
      },
    };
  }, [field, ask]);
}
