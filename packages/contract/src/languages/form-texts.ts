import texts from './form-texts.json' with { type: 'json' };
import { findLanguageTag, type LanguageTag } from './language-tags.ts';

/** What a form says on its own, without the service. `{address}` stands for the suggested address. */
export interface FormTexts {
  /** For what is no address at all. Also the message for `syntax`. */
  readonly malformed: string;
  /** The address could not be checked, and the site lets no sign-up pass unchecked. */
  readonly unavailable: string;
  /** Shown and read out while the service takes its time. */
  readonly checking: string;
  readonly suggestion: string;
  /** On the button that takes the suggestion. */
  readonly accept: string;
}

/** English is missing: the SDKs have it built in, so that a page in English loads nothing more. */
export const FORM_TEXTS: Readonly<Record<Exclude<LanguageTag, 'en'>, FormTexts>> = texts;

/** What a form says, for a tag such as `de-AT`; `null` for English and for a language without texts. */
export function findFormTexts(tag: string): FormTexts | null {
  const found = findLanguageTag(tag);
  return found === null || found === 'en' ? null : FORM_TEXTS[found];
}
