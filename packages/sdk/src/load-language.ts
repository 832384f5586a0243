import type { FormTexts } from './core.ts';

/** The form’s texts for a tag such as `de-AT`; `null` for English and for languages without a table. */
export async function loadLanguage(tag: string): Promise<FormTexts | null> {
  // English is built in; nothing has to be loaded for it.
  if (/^(en\b|$)/i.test(tag)) return null;
  try {
    const { findFormTexts } = await import('./languages.ts');
    return findFormTexts(tag);
  } catch {
    // The form works in English.
    return null;
  }
}
