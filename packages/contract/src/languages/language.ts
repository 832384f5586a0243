import type { MessageName } from '../messages.ts';
import type { LanguageTag } from './language-tags.ts';

/** What a form says on its own, without the service. `{address}` stands for the suggested address. */
export interface FormTexts {
  /** For what is no address at all. Same text as the message for `syntax`. */
  readonly malformed: string;
  /** The address could not be checked, and the site lets no sign-up pass unchecked. */
  readonly unavailable: string;
  /** Shown and read out while the service takes its time. */
  readonly checking: string;
  readonly suggestion: string;
  /** On the button that takes the suggestion. */
  readonly accept: string;
}

/** Every text for a person in one language. No text contains a number, so none needs plural forms. */
export interface Language {
  readonly tag: LanguageTag;
  readonly form: FormTexts;
  /** What the service answers, by the failed check that decided. English stands in for what is missing. */
  readonly messages: Readonly<Partial<Record<MessageName, string>>>;
  /** A backend refuses a form whose verdict it cannot trust. */
  readonly again: string;
  /** Said by a backend to a person whose form came without a verdict, where one is required. */
  readonly withScript: string;
  /** On the page that a backend answers a plain form post with. */
  readonly goBack: string;
}
