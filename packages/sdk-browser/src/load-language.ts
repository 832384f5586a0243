import type { FormTexts } from '@postern/sdk-core';
import { importAgain } from './import-again.ts';

/** The form’s texts for a tag such as `de-AT`; `null` for English and for languages without a table. */
export function loadLanguage(tag: string): Promise<FormTexts | null> {
  // English is built in; nothing has to be loaded for it.
  if (/^(en\b|$)/i.test(tag)) return Promise.resolve(null);
  const languages = importAgain(
    () => import('./languages.ts'),
    () => import('./languages-again.ts'),
  );
  // If the texts cannot be loaded, the form works in English.
  return languages.then(({ findFormTexts }) => findFormTexts(tag)).catch(() => null);
}
