import type { Language } from '@postern/sdk-core';

/** The texts for a tag such as `de-AT`; `null` for English and for languages without a table. */
export async function loadLanguage(tag: string): Promise<Language | null> {
  // English is what the service answers in; nothing has to be loaded for it.
  if (tag === '' || /^en\b/i.test(tag)) return null;
  try {
    const { findLanguage } = await import('./languages.ts');
    return findLanguage(tag);
  } catch {
    // English is better than no form.
    return null;
  }
}
