// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character starts a colour
const COLOR_OR_CONTROL = /(\u001b\[\d+(?:;\d+)*m)|[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text from a file or a database, safe to print: colours stay, and every other character that could move the cursor,
 * break the line or turn the reading direction becomes �.
 */
export function printable(text: string): string {
  return text.replace(COLOR_OR_CONTROL, (_, color: string | undefined) => color ?? '\u{FFFD}');
}
