/**
 * The domain in A-labels and lower case, by UTS #46. The service uses the same library, so that both compute the same
 * hash: the tables of Node and of browsers differ between versions. Most domains are plain ASCII without A-labels and do
 * not need it, so the library is loaded on first use.
 */
export async function asciiDomain(domain: string): Promise<string> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches all of ASCII.
  if (/^[\x00-\x7f]*$/.test(domain) && !/xn--/i.test(domain)) return domain.toLowerCase();
  const { toASCII } = await import('tr46');
  return toASCII(domain) ?? domain.toLowerCase();
}
