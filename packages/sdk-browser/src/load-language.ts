import type { FormTexts } from '@postern/sdk-core';

/** The form’s texts for a tag such as `de-AT`; `null` for English and for languages without a table. */
export function loadLanguage(tag: string): Promise<FormTexts | null> {
  // English is built in; nothing has to be loaded for it.
  if (/^(en\b|$)/i.test(tag)) return Promise.resolve(null);
  // If the texts cannot be loaded, the form works in English.
  return import('./languages.ts').then(({ findFormTexts }) => findFormTexts(tag)).catch(() => null);
}
