import { chooseLanguage, type KeyType, type LanguageTag } from '@postern/contract';

/** Most requests send one of a few hundred values. */
const MAX_CACHED = 1_000;
const MAX_CACHED_LENGTH = 128;
const cached = new Map<string, LanguageTag>();

/**
 * The language that a request asks for. `Accept-Language` counts only for client keys: a backend’s HTTP library sends its
 * own, which says nothing about the person.
 */
export function requestLanguage(
  locale: string | undefined,
  acceptLanguage: string | undefined,
  keyType: KeyType,
): LanguageTag {
  const asked = locale || (keyType === 'client' ? acceptLanguage : undefined);
  return asked === undefined ? 'en' : cachedLanguage(asked);
}

function cachedLanguage(text: string): LanguageTag {
  const found = cached.get(text);
  if (found !== undefined) return found;
  const language = chooseLanguage(text);
  if (text.length <= MAX_CACHED_LENGTH) {
    // Starting again is cheaper than keeping track of what was used last.
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(text, language);
  }
  return language;
}
