/**
 * The one-time token of a printed or shared link. It is after the `#`, which browsers do not send: it
 * appears in no server’s log and reaches no other site.
 */
export function linkToken(hash: string): string {
  const text = hash.replace(/^#/, '');
  return new URLSearchParams(text).get('token') ?? decodeURIComponent(text);
}
