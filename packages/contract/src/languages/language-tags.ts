/** The languages that messages exist in, as BCP 47 tags. English is the default. */
export const LANGUAGE_TAGS = [
  'en',
  'ar',
  'cs',
  'da',
  'de',
  'es',
  'fi',
  'fr',
  'he',
  'hi',
  'it',
  'ja',
  'ko',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ru',
  'sv',
  'tr',
  'uk',
  'zh-Hans',
  'zh-Hant',
] as const;
export type LanguageTag = (typeof LANGUAGE_TAGS)[number];

/** Other tags for the same language: old codes, close relatives and regions that write another script. */
const SAME: Readonly<Record<string, LanguageTag>> = {
  iw: 'he',
  nn: 'nb',
  no: 'nb',
  zh: 'zh-Hans',
  'zh-hk': 'zh-Hant',
  'zh-mo': 'zh-Hant',
  'zh-tw': 'zh-Hant',
};

const BY_TAG = new Map<string, LanguageTag>([
  ...Object.entries(SAME),
  ...LANGUAGE_TAGS.map((tag) => [tag.toLowerCase(), tag] as const),
]);

/** Longer ones are no language tag that anybody uses. */
const MAX_TAG_LENGTH = 35;

/**
 * The language for a tag such as `de-AT`, `zh_TW` or `en_GB.UTF-8`; `null` when there are no messages in it. Drops subtags
 * from the end until a tag fits (RFC 4647 section 3.4).
 */
export function findLanguageTag(text: string): LanguageTag | null {
  if (text.length > MAX_TAG_LENGTH) return null;
  const [written = ''] = text.trim().toLowerCase().split(/[.@]/);
  const subtags = written.split(/[-_]/);
  for (let length = subtags.length; length > 0; length -= 1) {
    const found = BY_TAG.get(subtags.slice(0, length).join('-'));
    if (found !== undefined) return found;
  }
  return null;
}
