import { MESSAGES, type MessageName } from '../messages.ts';
import { ARABIC } from './arabic.ts';
import { CHINESE_SIMPLIFIED } from './chinese-simplified.ts';
import { CHINESE_TRADITIONAL } from './chinese-traditional.ts';
import { CZECH } from './czech.ts';
import { DANISH } from './danish.ts';
import { DUTCH } from './dutch.ts';
import { ENGLISH } from './english.ts';
import { FINNISH } from './finnish.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { HEBREW } from './hebrew.ts';
import { HINDI } from './hindi.ts';
import { ITALIAN } from './italian.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import type { Language } from './language.ts';
import type { LanguageTag } from './language-tags.ts';
import { NORWEGIAN } from './norwegian.ts';
import { POLISH } from './polish.ts';
import { PORTUGUESE } from './portuguese.ts';
import { PORTUGUESE_BRAZIL } from './portuguese-brazil.ts';
import { RUSSIAN } from './russian.ts';
import { SPANISH } from './spanish.ts';
import { SWEDISH } from './swedish.ts';
import { TURKISH } from './turkish.ts';
import { UKRAINIAN } from './ukrainian.ts';

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
