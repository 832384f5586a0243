import {
  bindEmailField,
  type FieldActions,
  type FieldOptions,
  type FieldView,
  type ValidationClient,
} from '@postern/sdk-browser';
import { useCallback, useEffect, useId, useMemo, useRef, useSyncExternalStore } from 'react';

export type UseEmailFieldOptions = FieldOptions;

export interface EmailFieldBinding extends FieldView, FieldActions {
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
}

/** One email field. Create `client` once, outside of components. */
export function useEmailField(
  client: ValidationClient,
  options: UseEmailFieldOptions = {},
): EmailFieldBinding {
  const latest = useRef(options);
  // Texts and delay are read once; a new object on every render must not make a new field.
  const initial = useRef(options).current;
  const binding = useMemo(() => {
    const onChange = (value: string) => latest.current.onChange?.(value);
    return bindEmailField(client, { ...initial, onChange }, { rendersValue: true });
  }, [client, initial]);
  const view = useSyncExternalStore(binding.subscribe, binding.getView, binding.getView);
  useEffect(() => binding.dispose, [binding]);
  useEffect(() => {
    latest.current = options;
  });
  const { value, lang, name = 'email', verdictField = 'postern-verdict' } = options;
  useEffect(() => {
    if (value !== undefined) binding.takeValue(value);
  }, [binding, value]);
  useEffect(() => binding.readInput(), [binding]);
  useEffect(() => binding.loadTexts(lang), [binding, lang]);
  // A new binding gets the elements that are there already.
  const inputRef = useCallback((element: HTMLInputElement | null) => binding.setInput(element), [binding]);
  const verdictRef = useCallback(
    (element: HTMLInputElement | null) => binding.setVerdictInput(element),
    [binding],
  );

  const messageId = useId();
  const { handleSubmit, setValue, reset, validate, takeVerdict } = binding;
  return {
    ...view,
    inputProps: {
      ref: inputRef,
      name,
      type: 'email',
      autoComplete: 'email',
      value: value ?? view.value,
      onChange: (event) => setValue(event.target.value),
      onBlur: binding.blur,
      'aria-invalid': view.isInvalid,
      'aria-busy': view.isChecking,
      'aria-describedby': messageId,
    },
    messageProps: { id: messageId, role: 'status', 'aria-live': 'polite' },
    suggestionProps: { type: 'button', hidden: view.suggestion === null, onClick: binding.acceptSuggestion },
    verdictProps: { ref: verdictRef, type: 'hidden', name: verdictField, value: view.verdict ?? '' },
    handleSubmit,
    setValue,
    reset,
    validate,
    takeVerdict,
  };
}
