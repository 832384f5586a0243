/**
 * As `ascii-domain.ts`, for edge runtimes: their own URL parser instead of 330 KB of tables, which a program that verifies one
 * signature would load with every start.
 */
export async function asciiDomain(domain: string): Promise<string> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches all of ASCII.
  if (/^[\x00-\x7f]*$/.test(domain) && !/xn--/i.test(domain)) return domain.toLowerCase();
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain.toLowerCase();
  }
}
