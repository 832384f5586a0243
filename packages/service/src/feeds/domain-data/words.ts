/** The names in a text block: one or more a line, `#` to the end of the line is a comment. */
export function words(block: string): string[] {
  return block
    .split('\n')
    .flatMap((line) => (line.split('#')[0] ?? '').split(/\s+/))
    .filter((word) => word !== '');
}
