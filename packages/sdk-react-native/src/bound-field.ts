import { type EmailFieldOptions, type EmailFieldState, ENGLISH_FORM, type FormTexts } from 'postern~sdk/core';

/** The options of the email field. */
export interface BoundFieldOptions extends EmailFieldOptions {
  /** The language of the messages, such as `de`. Default: English. */
  lang?: string | undefined;
  /** The value, when the app keeps it itself. Use it together with `onChange`. */
  value?: string | undefined;
  /** Called with the new value when the person types, takes the suggestion or the field is reset. */
  onChange?: ((value: string) => void) | undefined;
}

/** The names of the options, to find misspelt ones. */
export const BOUND_FIELD_OPTIONS: Readonly<Record<keyof BoundFieldOptions, true>> = {
  lang: true,
  value: true,
  onChange: true,
  defaultValue: true,
  debounceMs: true,
  texts: true,
  messages: true,
  onFlag: true,
};

/** What the form’s handler receives when the address may pass. */
export interface SubmittedEmail {
  email: string;
  /** For the backend; `null` when the service could not be asked. */
  verdict: string | null;
  state: EmailFieldState;
}

/** What a field shows. */
export interface BoundFieldView extends EmailFieldState {
  readonly verdict: string | null;
  /** “Did you mean …?” in the form’s language; `null` when there is no suggestion. */
  readonly suggestionText: string | null;
  /** For the button that takes the suggestion, in the form’s language. */
  readonly acceptText: string | null;
  readonly isInvalid: boolean;
}

/** What an app does with its field, besides submitting it. */
export interface BoundFieldActions {
  setValue(value: string): void;
  /** Back to the default value, without result or message. */
  reset(): void;
  /** For form libraries: `true` if the form may be submitted, otherwise the text to show. */
  validate(): Promise<true | string>;
  /** The verdict for the backend. It returns each verdict only once; `validate` gets a new one. */
  takeVerdict(): string | null;
}

/** What to show for the state, in the language of `texts`; `null` for English. */
export function fieldView(state: EmailFieldState, texts: FormTexts | null): BoundFieldView {
  const { suggestion, status } = state;
  const insert = (text: string) => (suggestion === null ? null : text.replace('{address}', () => suggestion));
  return {
    ...state,
    verdict: state.validation?.verdict ?? null,
    suggestionText: insert((texts ?? ENGLISH_FORM).suggestion),
    acceptText: insert((texts ?? ENGLISH_FORM).accept),
    isInvalid: status === 'blocked' || status === 'malformed',
  };
}
