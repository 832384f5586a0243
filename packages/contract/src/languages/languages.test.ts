import { describe, expect, it } from 'vitest';
import { ENGLISH_FORM, MESSAGES, type MessageName } from './english.ts';
import { findFormTexts } from './form-texts.ts';
import { LANGUAGE_TAGS } from './language-tags.ts';
import { builtInMessage, LANGUAGES } from './languages.ts';
import { STEP_UP_TEXTS } from './step-up-texts.ts';

const RIGHT_TO_LEFT = ['ar', 'he'];
/** The script that a language is written in, where it is not Latin. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ar: /^\p{Script=Arabic}/u,
  he: /^\p{Script=Hebrew}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /\p{Script=Hiragana}/u,
  ko: /\p{Script=Hangul}/u,
  ru: /^\p{Script=Cyrillic}/u,
  uk: /^\p{Script=Cyrillic}/u,
  'zh-Hans': /\p{Script=Han}/u,
  'zh-Hant': /\p{Script=Han}/u,
};

it('there are tables for at least 20 languages besides English', () => {
  expect(LANGUAGE_TAGS.length).toBeGreaterThanOrEqual(21);
  expect(Object.keys(LANGUAGES)).toEqual([...LANGUAGE_TAGS]);
});

const MESSAGE_NAMES = Object.keys(MESSAGES) as MessageName[];
/** Messages that are not in every language yet; English stands in. A translation takes its name out again. */
const UNTRANSLATED: readonly MessageName[] = [];

it('every message is translated, except those of the checks that are listed here', () => {
  const missing = LANGUAGE_TAGS.flatMap((tag) =>
    MESSAGE_NAMES.filter((check) => LANGUAGES[tag].messages[check] === undefined).map((check) => ({
      tag,
      check,
    })),
  );
  expect(missing.filter(({ check }) => !UNTRANSLATED.includes(check))).toEqual([]);
  expect([...new Set(missing.map(({ check }) => check))]).toEqual(UNTRANSLATED);
});

it('a message is in its language', () => {
  expect(builtInMessage('de', 'mx')).toEqual({
    text: LANGUAGES.de.messages.mx,
    language: 'de',
  });
});

describe.each(Object.entries(LANGUAGES))('the table for %s', (tag, language) => {
  const sentences = [
    ...Object.values(language.messages),
    language.form.unavailable,
    language.again,
    language.withScript,
    language.goBack,
  ];

  it('has different sentences, in the order of the checks', () => {
    expect(language.tag).toBe(tag);
    const translated = Object.keys(language.messages);
    expect(translated).toEqual(MESSAGE_NAMES.filter((name) => translated.includes(name)));
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const sentence of sentences) {
      expect(sentence).toMatch(/[.?؟。？।]$/u);
      // A count would need plural forms, markup would be shown, and straight quotes look unfinished.
      expect(sentence).not.toMatch(/[0-9<>&{}'"]|\s\s|^\s|\s$/);
      expect(sentence.length).toBeLessThan(120);
    }
  });

  it('has the texts of English and no others', () => {
    expect(Object.keys(language)).toEqual(Object.keys(LANGUAGES.en));
    expect(Object.keys(language.form)).toEqual(Object.keys(ENGLISH_FORM));
    const stepUp = STEP_UP_TEXTS[tag as keyof typeof STEP_UP_TEXTS];
    expect(Object.keys(stepUp)).toEqual(Object.keys(STEP_UP_TEXTS.en));
    const placeholders = (texts: object) =>
      Object.values(texts).map((text) => (text.match(/\{\w+\}/g) ?? []).sort());
    expect(placeholders(stepUp)).toEqual(placeholders(STEP_UP_TEXTS.en));
  });

  it('is written in the language’s script and is not a copy of another table', () => {
    const script = SCRIPTS[tag] ?? /^[\p{Script=Latin}¿]/u;
    for (const sentence of sentences) expect(sentence).toMatch(script);
    for (const other of Object.values(LANGUAGES)) {
      if (other === language) continue;
      const copied = Object.values(other.messages).filter((text) => sentences.includes(text));
      // Portugal and Brazil agree on one sentence.
      expect(copied.length).toBeLessThanOrEqual(tag.startsWith('pt') && other.tag.startsWith('pt') ? 1 : 0);
    }
  });

  it('names the suggested address once, and isolates it in right-to-left text', () => {
    const { form } = language;
    expect(form.malformed).toBe(language.messages.syntax);
    const placeholder = RIGHT_TO_LEFT.includes(tag) ? '\u2066{address}\u2069' : '{address}';
    for (const text of [form.suggestion, form.accept]) {
      expect(text.split('{address}')).toHaveLength(2);
      expect(text).toContain(placeholder);
    }
    expect(findFormTexts(tag)).toBe(tag === 'en' ? null : form);
  });
});
