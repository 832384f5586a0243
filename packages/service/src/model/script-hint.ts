/** The header that shows that a script sends what looks like a browser’s request. */
export type ScriptHint = 'sec-ch-ua' | 'sec-fetch' | 'accept-language';

/** From which version on a browser sends `Sec-Fetch-*` with every request from an HTTPS page. */
const SENDS_FETCH_METADATA: readonly (readonly [product: RegExp, since: number])[] = [
  [/Chrome\/(\d{1,4})/, 80],
  [/Firefox\/(\d{1,4})/, 90],
  [/Version\/(\d{1,4})[.\d]{0,12} (?:Mobile\/\w{1,10} )?Safari/, 17],
];

/**
 * How the headers of a page’s request contradict its user agent. Scripts copy a browser’s user agent and forget what else it
 * sends. A hint, no proof: a proxy of the site’s own can drop headers.
 */
export function scriptHint(
  userAgent: string | undefined,
  header: (name: string) => string | undefined,
): ScriptHint | undefined {
  if (userAgent === undefined) return undefined;
  if (header('sec-ch-ua')?.includes('HeadlessChrome') === true) return 'sec-ch-ua';
  // Browsers leave `Sec-Fetch-*` out where the service has no HTTPS; an HTTPS page cannot call such a service. Apps’ web views differ.
  if (!header('origin')?.startsWith('https://') || userAgent.includes('; wv)')) return undefined;
  const [product, since] = SENDS_FETCH_METADATA.find(([name]) => name.test(userAgent)) ?? [];
  if (product === undefined || since === undefined) return undefined;
  if (Number(product.exec(userAgent)?.[1]) < since) return undefined;
  if (header('sec-fetch-site') === undefined && header('sec-fetch-mode') === undefined) return 'sec-fetch';
  return header('accept-language') === undefined ? 'accept-language' : undefined;
}
