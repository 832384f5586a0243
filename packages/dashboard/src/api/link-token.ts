/**
 * The one-time token of a printed or shared link. It is after the `#`, which browsers do not send: it
 * appears in no server’s log and reaches no other site.
 */
export function linkToken(hash: string): string {
  const text = hash.replace(/^#/, '');
  // Also reads a text such as `%`, which decodeURIComponent throws at.
  return new URLSearchParams(text).get('token') ?? new URLSearchParams(`token=${text}`).get('token') ?? '';
}
