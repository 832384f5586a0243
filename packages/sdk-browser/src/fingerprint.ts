import { hashComponents, loadSources, sources } from '@fingerprintjs/fingerprintjs';

/**
 * What makes up the hash: hardware, drawing and the browser’s build. Left out is whatever the same person changes
 * on the same device: language, time zone, screen and window, preferences of colour, contrast, motion and fonts,
 * storage and cookies, touch, blockers, the sound card’s latency. So the hash stays across page loads, private
 * windows, locales and monitors. Changing this list makes every device a new one: raise VERSION with it.
 */
const COMPONENTS = [
  'applePay',
  'architecture',
  'audio',
  'canvas',
  'cpuClass',
  'deviceMemory',
  'fonts',
  'hardwareConcurrency',
  'math',
  'osCpu',
  'pdfViewerEnabled',
  'platform',
  'plugins',
  'vendor',
  'vendorFlavors',
  'webGlBasics',
  'webGlExtensions',
] as const satisfies readonly (keyof typeof sources)[];

const VERSION = 'b1';

/** The device’s hash. The components it is made of never leave this function. */
export async function fingerprint(): Promise<string> {
  const chosen: Record<string, () => unknown> = {};
  for (const name of COMPONENTS) chosen[name] = sources[name] as () => unknown;
  // `load()` of the library would also run the sources that are left out, and its monitoring.
  const components = await loadSources(chosen, { cache: {} }, [])();
  return `${VERSION}_${hashComponents(components)}`;
}
