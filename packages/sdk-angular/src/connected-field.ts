import { DestroyRef, inject, type Signal, signal } from '@angular/core';
import {
  bindEmailField,
  type FieldActions,
  type FieldBinding,
  type FieldOptions,
  type FieldView,
  type ValidationClient,
} from '@postern/sdk-browser';

export interface ConnectedField {
  readonly view: Signal<FieldView>;
  /** Only in a browser, once the elements are in their form. */
  connect(client: ValidationClient, options: FieldOptions, elements: FieldInputs): void;
  /** `null` on a server and before the first rendering. */
  binding(): FieldBinding | null;
  actions(): FieldActions;
}

interface FieldInputs {
  readonly input: HTMLInputElement;
  readonly verdictInput: HTMLInputElement;
}

/** What a server renders. */
const IDLE: FieldView = {
  value: '',
  status: 'idle',
  message: null,
  suggestion: null,
  holdForSuggestion: false,
  validation: null,
  error: null,
  verdict: null,
  suggestionText: null,
  acceptText: null,
  helpText: '',
  isInvalid: false,
  isChecking: false,
};

/** A field as a signal, for the constructor of a component or directive. */
export function injectField(): ConnectedField {
  const view = signal(IDLE);
  let binding: FieldBinding | null = null;
  const destroyRef = inject(DestroyRef);
  return {
    view: view.asReadonly(),
    connect: (client, options, { input, verdictInput }) => {
      const connected = bindEmailField(client, options);
      binding = connected;
      const unsubscribe = connected.subscribe(() => view.set(connected.getView()));
      connected.setInput(input);
      connected.setVerdictInput(verdictInput);
      destroyRef.onDestroy(() => {
        unsubscribe();
        connected.setInput(null);
        connected.setVerdictInput(null);
        connected.dispose();
      });
    },
    binding: () => binding,
    actions: () => {
      if (binding === null) throw new Error('The email field is not in the page yet');
      return binding;
    },
  };
}
