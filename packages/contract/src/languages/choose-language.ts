import { findLanguageTag, type LanguageTag } from './language-tags.ts';

/** Browsers send a handful of languages. The rest of a longer header is ignored, so that the work is bounded. */
const MAX_LENGTH = 512;
const MAX_ENTRIES = 32;
/** RFC 9110 section 12.4.2. */
const QUALITY = /^q=(0(\.[0-9]{0,3})?|1(\.0{0,3})?)$/i;

/**
 * The best language for an `Accept-Language` header (RFC 9110 section 12.5.4) or for a single tag. English when none of
 * the languages has messages.
 */
export function chooseLanguage(text: string): LanguageTag {
  let best: LanguageTag = 'en';
  let bestQuality = 0;
  for (const entry of text.slice(0, MAX_LENGTH).split(',', MAX_ENTRIES)) {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const quality = qualityOf(parameters);
    // Of two with the same quality the first one wins.
    if (quality <= bestQuality) continue;
    const found = tag === '*' ? 'en' : findLanguageTag(tag);
    if (found === null) continue;
    best = found;
    bestQuality = quality;
    // Nothing can be better. With a browser’s header this ends after the first entry.
    if (quality === 1) break;
  }
  return best;
}

/** 1 without a parameter, 0 for one that cannot be read: the entry is then ignored. */
function qualityOf(parameters: readonly string[]): number {
  const [parameter, ...more] = parameters;
  if (parameter === undefined) return 1;
  const match = more.length === 0 ? QUALITY.exec(parameter) : null;
  return match === null ? 0 : Number(match[1]);
}
