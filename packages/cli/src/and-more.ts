/** The items that fit, and how many more there are: `a, b, c and 2 more`. */
export function andMore(shown: readonly (string | number)[], total: number): string {
  const more = total > shown.length ? ` and ${total - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}
