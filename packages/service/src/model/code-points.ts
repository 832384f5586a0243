/**
 * Code points that no address contains: everything in \p{C} (controls, format characters such as zero-width and bidi
 * ones, lone surrogates, private use, unassigned), every kind of space and separator, all other invisible characters, the
 * Braille blank, and the two replacement characters, which only appear in damaged text.
 */
const UNSAFE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFFC}\u{FFFD}]/u;
const UNSAFE_EXCEPT_JOINERS =
  /(?![\u{200C}\u{200D}])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFFC}\u{FFFD}]/u;

export function hasUnsafeCodePoint(text: string): boolean {
  return UNSAFE.test(text);
}

/** The same for a domain, except the two joiners, which IDNA allows in some contexts (RFC 5892, appendix A). */
export function hasUnsafeDomainCodePoint(text: string): boolean {
  return UNSAFE_EXCEPT_JOINERS.test(text);
}

/**
 * Variation selector 16: shows the character before it as an emoji. Phones add it on their own. It does not make a
 * different address.
 */
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\u{FE0F}/gu;

export function withoutEmojiStyle(text: string): string {
  return text.includes('\u{FE0F}') ? text.replace(EMOJI_STYLE, '') : text;
}

/** Octets of `text` in UTF-8, without encoding it. */
export function utf8Length(text: string): number {
  let octets = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair counts as two, so the pair counts as four octets.
    octets += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2;
  }
  return octets;
}
