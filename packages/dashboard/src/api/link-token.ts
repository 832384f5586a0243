/**
 * The one-time token of a printed or shared link. It stands after the `#`, which browsers keep to themselves: it
 * reaches no server’s log and no other site.
 */
export function linkToken(hash: string): string {
  const text = hash.replace(/^#/, '');
  return new URLSearchParams(text).get('token') ?? decodeURIComponent(text);
}
