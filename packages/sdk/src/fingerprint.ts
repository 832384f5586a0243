import { hashComponents, loadSources, sources } from '@fingerprintjs/fingerprintjs';

/**
 * The components of the hash: hardware, rendering and the browser’s build. Everything that one person changes on one
 * device is left out: language, time zone, screen and window, preferences for colour, contrast, motion and fonts,
 * storage and cookies, touch, blockers, and the sound card’s latency. So the hash is the same across page loads,
 * private windows, locales and monitors. A change of this list makes every device a new one, so raise VERSION with it.
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

const VERSION = 'b2';

/** What the canvas draws, without text: a screen with another scale gets other letters. */
function figures() {
  const { winding, geometry } = sources.canvas();
  return { winding, geometry };
}

/** The device’s hash. The components it is made of never leave this function. */
export async function fingerprint(): Promise<string> {
  const chosen: Record<string, () => unknown> = {};
  for (const name of COMPONENTS) chosen[name] = sources[name] as () => unknown;
  chosen.canvas = figures;
  // The library’s `load()` would also run the sources that are left out, and its monitoring.
  const components = await loadSources(chosen, { cache: {} }, [])();
  return `${VERSION}_${hashComponents(components)}`;
}
