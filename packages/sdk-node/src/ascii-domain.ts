/**
 * The domain in A-labels and lower case, by UTS #46. The service uses the same library, so that both hash the same
 * address: the tables of Node and of browsers differ from version to version. Most domains are plain ASCII and need
 * none of it, so the library is loaded when the first other one comes.
 */
export async function asciiDomain(domain: string): Promise<string> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
  if (/^[\x00-\x7f]*$/.test(domain) && !/xn--/i.test(domain)) return domain.toLowerCase();
  const { toASCII } = await import('tr46');
  return toASCII(domain) ?? domain.toLowerCase();
}
