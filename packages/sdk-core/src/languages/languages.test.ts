import { MESSAGES } from '@postern/contract';
import { describe, expect, it } from 'vitest';
import { findLanguage, LANGUAGES } from './languages.ts';

describe.each(Object.entries(LANGUAGES))('the table for %s', (_code, language) => {
  it('has a sentence of its own for each check', () => {
    expect(Object.keys(language.messages)).toEqual(Object.keys(MESSAGES.plain));
    const sentences = [...Object.values(language.messages), language.unavailable];
    expect(new Set(sentences).size).toBe(sentences.length);
    const english = new Set<string>(Object.values(MESSAGES.plain));
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
      expect(english.has(sentence)).toBe(false);
    }
  });

  it('names the suggested address once', () => {
    for (const text of [language.suggestion, language.accept]) {
      expect(text.split('{address}')).toHaveLength(2);
    }
  });
});

it('a region’s tag finds its language, and an unknown tag finds none', () => {
  expect(findLanguage('de-AT')).toBe(LANGUAGES.de);
  expect(findLanguage('PT-br')).toBe(LANGUAGES.pt);
  for (const tag of ['', 'en', 'en-GB', 'xx', 'constructor', '__proto__'])
    expect(findLanguage(tag)).toBeNull();
});
