import {
  bindEmailField,
  type FieldActions,
  type FieldOptions,
  type FieldView,
  type ValidationClient,
  withView,
} from '@postern/sdk-browser';
import { onBeforeUnmount, onMounted, shallowRef, useId, type VNodeProps, watch } from 'vue';

type Ref = Pick<VNodeProps, 'ref'>;

export interface EmailFieldBinding extends FieldView, FieldActions {
  /** For `<input v-bind="…">`. */
  readonly inputProps: Ref & {
    readonly name: string;
    readonly type: 'email';
    readonly autocomplete: 'email';
    readonly value: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-busy': boolean;
    readonly 'aria-describedby': string;
  };
  /**
   * For the element that shows `helpText`. Always render it: screen readers announce the text only if the element was
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
   * For a hidden `<input>` in the form. The form is then held until the address is checked, and each submission carries a
   * verdict of its own.
   */
  readonly verdictProps: Ref & {
    readonly type: 'hidden';
    readonly name: string;
    readonly value: string;
  };
  /** The app’s value, when it keeps it itself. Is not reported back with `onChange`. */
  takeValue(value: string): void;
}

/** One email field. Create `client` once, outside of components. */
export function useEmailField(client: ValidationClient, options: FieldOptions = {}): EmailFieldBinding {
  const binding = bindEmailField(client, options);
  const view = shallowRef(binding.getView());
  let unsubscribe = () => {};
  onMounted(() => {
    unsubscribe = binding.subscribe(() => {
      view.value = binding.getView();
    });
  });
  onBeforeUnmount(() => {
    unsubscribe();
    binding.setInput(null);
    binding.setVerdictInput(null);
    binding.dispose();
  });
  const input = elementRef(binding.setInput);
  const verdictInput = elementRef(binding.setVerdictInput);

  const messageId = useId();
  const { name = 'email', verdictField = 'postern-verdict' } = options;
  const { handleSubmit, setValue, reset, validate, takeVerdict, takeValue, acceptSuggestion } = binding;
  return withView(() => view.value, {
    get inputProps() {
      return {
        ref: input,
        name,
        type: 'email' as const,
        autocomplete: 'email' as const,
        value: view.value.value,
        'aria-invalid': view.value.isInvalid,
        'aria-busy': view.value.isChecking,
        'aria-describedby': messageId,
      };
    },
    messageProps: { id: messageId, role: 'status', 'aria-live': 'polite' } as const,
    get suggestionProps() {
      const hidden = view.value.suggestion === null;
      return { type: 'button' as const, hidden, onClick: acceptSuggestion };
    },
    get verdictProps() {
      const value = view.value.verdict ?? '';
      return { ref: verdictInput, type: 'hidden' as const, name: verdictField, value };
    },
    handleSubmit,
    setValue,
    reset,
    validate,
    takeVerdict,
    takeValue,
  });
}

/** Vue sets a ref before the element is in its form. Hands it on when everything is in the page. */
function elementRef(set: (element: HTMLInputElement | null) => void): NonNullable<VNodeProps['ref']> {
  const element = shallowRef<HTMLInputElement | null>(null);
  watch(element, set, { flush: 'post' });
  return (found) => {
    element.value = found as HTMLInputElement | null;
  };
}
