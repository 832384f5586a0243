/** Browsers by what tells their fingerprints apart. */
export const BROWSER_CLASSES = [
  'other',
  'ios',
  'android',
  'mac',
  'firefox',
  'chrome-windows',
  'edge-windows',
  'linux',
] as const;
export type BrowserClass = (typeof BROWSER_CLASSES)[number];

/** The class of a browser, by its user agent. `other` for whatever does not look like a common browser. */
export function browserClass(userAgent: string | undefined): BrowserClass {
  if (userAgent === undefined) return 'other';
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  if (userAgent.includes('Android')) return 'android';
  if (userAgent.includes('Firefox/')) return 'firefox';
  if (userAgent.includes('Macintosh')) return 'mac';
  if (userAgent.includes('Windows NT')) return userAgent.includes('Edg/') ? 'edge-windows' : 'chrome-windows';
  return /X11|CrOS/.test(userAgent) ? 'linux' : 'other';
}

const HIDE_HARDWARE: ReadonlySet<BrowserClass> = new Set(['ios', 'android', 'mac', 'firefox']);

/** Whether all machines of one model have the same fingerprint, or the browser gives everybody the same one. */
export const hidesHardware = (browser: BrowserClass): boolean => HIDE_HARDWARE.has(browser);

export const isPhone = (browser: BrowserClass): boolean => browser === 'ios' || browser === 'android';
