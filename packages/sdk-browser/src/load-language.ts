import type { Language } from '@postern/sdk-core';

/** The texts for a tag such as `de-AT`; `null` for English and for languages without a table. */
export function loadLanguage(tag: string): Promise<Language | null> {
  // English is what the service answers in; nothing has to be loaded for it.
  if (/^(en\b|$)/i.test(tag)) return Promise.resolve(null);
  // English is better than no form.
  return import('./languages.ts').then(({ findLanguage }) => findLanguage(tag)).catch(() => null);
}
