import { ARABIC_FORM } from './arabic.ts';
import { CHINESE_SIMPLIFIED_FORM } from './chinese-simplified.ts';
import { CHINESE_TRADITIONAL_FORM } from './chinese-traditional.ts';
import { CZECH_FORM } from './czech.ts';
import { DANISH_FORM } from './danish.ts';
import { DUTCH_FORM } from './dutch.ts';
import { FINNISH_FORM } from './finnish.ts';
import { FRENCH_FORM } from './french.ts';
import { GERMAN_FORM } from './german.ts';
import { HEBREW_FORM } from './hebrew.ts';
import { HINDI_FORM } from './hindi.ts';
import { ITALIAN_FORM } from './italian.ts';
import { JAPANESE_FORM } from './japanese.ts';
import { KOREAN_FORM } from './korean.ts';
import type { FormTexts } from './language.ts';
import { findLanguageTag, type LanguageTag } from './language-tags.ts';
import { NORWEGIAN_FORM } from './norwegian.ts';
import { POLISH_FORM } from './polish.ts';
import { PORTUGUESE_FORM } from './portuguese.ts';
import { PORTUGUESE_BRAZIL_FORM } from './portuguese-brazil.ts';
import { RUSSIAN_FORM } from './russian.ts';
import { SPANISH_FORM } from './spanish.ts';
import { SWEDISH_FORM } from './swedish.ts';
import { TURKISH_FORM } from './turkish.ts';
import { UKRAINIAN_FORM } from './ukrainian.ts';

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
