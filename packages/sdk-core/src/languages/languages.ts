import { DUTCH } from './dutch.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { ITALIAN } from './italian.ts';
import type { Language } from './language.ts';
import { POLISH } from './polish.ts';
import { PORTUGUESE } from './portuguese.ts';
import { SPANISH } from './spanish.ts';

/** By the language’s code. English is missing because the service answers in English. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
  it: ITALIAN,
  nl: DUTCH,
  pl: POLISH,
  pt: PORTUGUESE,
};

/** The texts for a tag such as `de-AT`, or `null` if there are none. */
export function findLanguage(tag: string): Language | null {
  const [code = ''] = tag.toLowerCase().split('-');
  return Object.keys(LANGUAGES).includes(code) ? (LANGUAGES[code] ?? null) : null;
}
