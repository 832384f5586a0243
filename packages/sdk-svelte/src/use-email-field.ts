import {
  bindEmailField,
  type FieldActions,
  type FieldOptions,
  type FieldView,
  type ValidationClient,
  withView,
} from '@postern/sdk-browser';
import { type Attachment, createAttachmentKey } from 'svelte/attachments';
import { createSubscriber } from 'svelte/reactivity';

export interface UseEmailFieldOptions extends FieldOptions {
  /** The id of the message’s element. By default it is made from the input’s name. */
  messageId?: string | undefined;
}

type WithAttachment = Readonly<Record<symbol, Attachment<HTMLInputElement>>>;

export interface EmailFieldBinding extends FieldView, FieldActions {
  /** For `<input {...}>`. */
  readonly inputProps: WithAttachment & {
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
    readonly onclick: () => void;
  };
  /**
   * For a hidden `<input>` in the form. The form is then held until the address is checked, and each submission carries a
   * verdict of its own.
   */
  readonly verdictProps: WithAttachment & {
    readonly type: 'hidden';
    readonly name: string;
    readonly value: string;
  };
  /** The app’s value, when it keeps it itself. Is not reported back with `onChange`. */
  takeValue(value: string): void;
}

/** One email field, for a component’s script. Create `client` once, outside of components. */
export function useEmailField(
  client: ValidationClient,
  { messageId, ...options }: UseEmailFieldOptions = {},
): EmailFieldBinding {
  const binding = bindEmailField(client, options);
  const { name = 'email', verdictField = 'postern-verdict' } = options;
  const id = messageId ?? `postern-${name}-message`;
  const track = createSubscriber((update) => {
    const unsubscribe = binding.subscribe(update);
    return () => {
      unsubscribe();
      binding.dispose();
    };
  });
  const view = () => {
    track();
    return binding.getView();
  };
  const input = attachment(binding.setInput);
  const verdictInput = attachment(binding.setVerdictInput);

  const { handleSubmit, setValue, reset, validate, takeVerdict, takeValue, acceptSuggestion } = binding;
  return withView(view, {
    get inputProps() {
      const { value, isInvalid, isChecking } = view();
      return {
        ...input,
        name,
        type: 'email' as const,
        autocomplete: 'email' as const,
        value,
        'aria-invalid': isInvalid,
        'aria-busy': isChecking,
        'aria-describedby': id,
      };
    },
    messageProps: { id, role: 'status', 'aria-live': 'polite' } as const,
    get suggestionProps() {
      return { type: 'button' as const, hidden: view().suggestion === null, onclick: acceptSuggestion };
    },
    get verdictProps() {
      return { ...verdictInput, type: 'hidden' as const, name: verdictField, value: view().verdict ?? '' };
    },
    handleSubmit,
    setValue,
    reset,
    validate,
    takeVerdict,
    takeValue,
  });
}

function attachment(set: (element: HTMLInputElement | null) => void): WithAttachment {
  return {
    [createAttachmentKey()]: (element: HTMLInputElement) => {
      set(element);
      return () => set(null);
    },
  };
}
