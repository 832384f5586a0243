import { MESSAGES, type MessageName } from '../messages.ts';
import { ARABIC, ARABIC_FORM } from './arabic.ts';
import { CHINESE_SIMPLIFIED, CHINESE_SIMPLIFIED_FORM } from './chinese-simplified.ts';
import { CHINESE_TRADITIONAL, CHINESE_TRADITIONAL_FORM } from './chinese-traditional.ts';
import { CZECH, CZECH_FORM } from './czech.ts';
import { DANISH, DANISH_FORM } from './danish.ts';
import { DUTCH, DUTCH_FORM } from './dutch.ts';
import { ENGLISH } from './english.ts';
import { FINNISH, FINNISH_FORM } from './finnish.ts';
import { FRENCH, FRENCH_FORM } from './french.ts';
import { GERMAN, GERMAN_FORM } from './german.ts';
import { HEBREW, HEBREW_FORM } from './hebrew.ts';
import { HINDI, HINDI_FORM } from './hindi.ts';
import { ITALIAN, ITALIAN_FORM } from './italian.ts';
import { JAPANESE, JAPANESE_FORM } from './japanese.ts';
import { KOREAN, KOREAN_FORM } from './korean.ts';
import type { FormTexts, Language } from './language.ts';
import { findLanguageTag, type LanguageTag } from './language-tags.ts';
import { NORWEGIAN, NORWEGIAN_FORM } from './norwegian.ts';
import { POLISH, POLISH_FORM } from './polish.ts';
import { PORTUGUESE, PORTUGUESE_FORM } from './portuguese.ts';
import { PORTUGUESE_BRAZIL, PORTUGUESE_BRAZIL_FORM } from './portuguese-brazil.ts';
import { RUSSIAN, RUSSIAN_FORM } from './russian.ts';
import { SPANISH, SPANISH_FORM } from './spanish.ts';
import { SWEDISH, SWEDISH_FORM } from './swedish.ts';
import { TURKISH, TURKISH_FORM } from './turkish.ts';
import { UKRAINIAN, UKRAINIAN_FORM } from './ukrainian.ts';

/** Every text for people, by language. */
export const LANGUAGES: Readonly<Record<LanguageTag, Language>> = {
  en: ENGLISH,
  ar: ARABIC,
  cs: CZECH,
  da: DANISH,
  de: GERMAN,
  es: SPANISH,
  fi: FINNISH,
  fr: FRENCH,
  he: HEBREW,
  hi: HINDI,
  it: ITALIAN,
  ja: JAPANESE,
  ko: KOREAN,
  nb: NORWEGIAN,
  nl: DUTCH,
  pl: POLISH,
  pt: PORTUGUESE,
  'pt-BR': PORTUGUESE_BRAZIL,
  ru: RUSSIAN,
  sv: SWEDISH,
  tr: TURKISH,
  uk: UKRAINIAN,
  'zh-Hans': CHINESE_SIMPLIFIED,
  'zh-Hant': CHINESE_TRADITIONAL,
};

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

/** English is missing: the SDKs have it built in, so that a page in English loads nothing more. */
const FORM_TEXTS: Readonly<Record<Exclude<LanguageTag, 'en'>, FormTexts>> = {
  ar: ARABIC_FORM,
  cs: CZECH_FORM,
  da: DANISH_FORM,
  de: GERMAN_FORM,
  es: SPANISH_FORM,
  fi: FINNISH_FORM,
  fr: FRENCH_FORM,
  he: HEBREW_FORM,
  hi: HINDI_FORM,
  it: ITALIAN_FORM,
  ja: JAPANESE_FORM,
  ko: KOREAN_FORM,
  nb: NORWEGIAN_FORM,
  nl: DUTCH_FORM,
  pl: POLISH_FORM,
  pt: PORTUGUESE_FORM,
  'pt-BR': PORTUGUESE_BRAZIL_FORM,
  ru: RUSSIAN_FORM,
  sv: SWEDISH_FORM,
  tr: TURKISH_FORM,
  uk: UKRAINIAN_FORM,
  'zh-Hans': CHINESE_SIMPLIFIED_FORM,
  'zh-Hant': CHINESE_TRADITIONAL_FORM,
};

/** What a form says, for a tag such as `de-AT`; `null` for English and for a language without a table. */
export function findFormTexts(tag: string): FormTexts | null {
  const found = findLanguageTag(tag);
  return found === null || found === 'en' ? null : FORM_TEXTS[found];
}
