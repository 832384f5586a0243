import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseLanguage } from './choose-language.ts';
import { findLanguageTag, LANGUAGE_TAGS } from './language-tags.ts';

describe('the language for a tag', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE_ch', 'de'],
    ['en-GB', 'en'],
    ['pt', 'pt'],
    ['PT-br', 'pt-BR'],
    ['pt-AO', 'pt'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-Hans-SG', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-Hant-HK', 'zh-Hant'],
    ['zh_HK', 'zh-Hant'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['iw', 'he'],
    ['fr_FR.UTF-8', 'fr'],
    ['ru_RU@euro', 'ru'],
  ])('%s is %s', (tag, expected) => {
    expect(findLanguageTag(tag)).toBe(expected);
  });

  it.each(['', 'xx', 'C', 'deutsch', 'constructor', '__proto__', '-', `de${'-x'.repeat(40)}`])(
    '%j has none',
    (tag) => {
      expect(findLanguageTag(tag)).toBeNull();
    },
  );
});

describe('the language for Accept-Language', () => {
  it.each([
    ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['fr;q=0.5, es;q=0.7', 'es'],
    ['es;q=0.7, fr;q=0.7', 'es'],
    ['el, uk;q=0.3', 'uk'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['de ; Q=0.4 , it', 'it'],
    ['*', 'en'],
    ['*, de;q=0.5', 'en'],
    ['de, *;q=0.5', 'de'],
    ['de;q=2, ja;q=0.1', 'ja'],
    ['de;q=0.1234, ja;q=0.1', 'ja'],
    ['de;level=1, ja;q=0.1', 'ja'],
    ['', 'en'],
    [',,,', 'en'],
    [';q=1', 'en'],
    ['xx,yy', 'en'],
  ])('%j is %s', (header, expected) => {
    expect(chooseLanguage(header)).toBe(expected);
  });

  it('reads only the first 512 characters and 32 entries', () => {
    expect(chooseLanguage(`${'x'.repeat(600)},de`)).toBe('en');
    expect(chooseLanguage(`${'xx,'.repeat(32)}de`)).toBe('en');
    expect(chooseLanguage(`${'xx,'.repeat(31)}de`)).toBe('de');
  });

  it('is a known language whatever is sent', () => {
    const piece = fc.constantFrom('de', 'zh-TW', '*', ';', 'q=', '0.5', ',', ' ', '-', '_', '\u0000', 'ü');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (header) => {
          expect(LANGUAGE_TAGS).toContain(chooseLanguage(header));
        },
      ),
    );
  });
});
