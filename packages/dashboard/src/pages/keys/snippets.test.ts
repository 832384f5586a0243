import { expect, it } from 'vitest';
import { ownMalformedText } from './snippets.tsx';

const german = { de: { syntax: 'Diese Adresse ist ungültig.' } };
const both = { ...german, en: { syntax: 'This address is invalid.' } };

it.each([
  ['the project’s language', 'de', both, german.de.syntax],
  ['English, if requests choose the language', 'request', both, both.en.syntax],
  ['the only language that has one', 'request', german, german.de.syntax],
  ['nothing for another language', 'fr', both, undefined],
  ['nothing without own messages', 'request', {}, undefined],
] as const)('is the text of %s', (_, messageLanguage, messages, expected) => {
  expect(ownMalformedText({ messageLanguage, messages })).toBe(expected);
});
