import texts from './answer-texts.json' with { type: 'json' };
import { ENGLISH_FORM, MESSAGES, type MessageName } from './english.ts';
import { FORM_TEXTS, type FormTexts } from './form-texts.ts';
import type { LanguageTag } from './language-tags.ts';

/** What the service and a backend answer. No text contains a number, so none needs plural forms. */
interface AnswerTexts {
  /** What the service answers, by the failed check that decided. English stands in for what is missing. */
  readonly messages: Readonly<Partial<Record<MessageName, string>>>;
  /** A backend refuses a form whose verdict it cannot trust. */
  readonly again: string;
  /** Said by a backend to a person whose form came without a verdict, where one is required. */
  readonly withScript: string;
  /** On the page that a backend answers a plain form post with. */
  readonly goBack: string;
}

/** Every text for a person in one language, but for those of a step-up. */
export interface Language extends AnswerTexts {
  readonly tag: LanguageTag;
  readonly form: FormTexts;
}

const ENGLISH: Language = {
  tag: 'en',
  form: ENGLISH_FORM,
  messages: MESSAGES,
  again: 'Please check your email address and send the form again.',
  withScript: 'Please switch on JavaScript in your browser and send the form again.',
  goBack: 'Please go back and try again.',
};

const TRANSLATED: Readonly<Record<Exclude<LanguageTag, 'en'>, AnswerTexts>> = texts;

/** Every text for people, by language. */
export const LANGUAGES: Readonly<Record<LanguageTag, Language>> = /* @__PURE__ */ withForms();

function withForms(): Record<LanguageTag, Language> {
  const translated = Object.entries(TRANSLATED).map(([tag, { messages, ...more }]) => {
    const form = FORM_TEXTS[tag as keyof typeof FORM_TEXTS];
    return [tag, { tag, form, messages: { syntax: form.malformed, ...messages }, ...more }];
  });
  return { en: ENGLISH, ...(Object.fromEntries(translated) as Record<keyof typeof TRANSLATED, Language>) };
}

export interface Message {
  readonly text: string;
  /** English, if the message is not translated. */
  readonly language: LanguageTag;
}

/** The built-in message for a failed check. */
export function builtInMessage(language: LanguageTag, check: MessageName): Message {
  const text = LANGUAGES[language].messages[check];
  return text === undefined ? { text: MESSAGES[check], language: 'en' } : { text, language };
}
