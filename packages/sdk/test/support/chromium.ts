import { type Browser, chromium } from 'playwright';
import { askForNeed } from '../../../service/test/support/ask-for-need.ts';
import { findChromium, type Installation } from './find-chromium.ts';

/** The sandbox does not work as root. Nothing here loosens CORS, which the tests are about. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

let shared: Promise<Browser> | undefined;

/**
 * A real Chromium; `find-chromium.ts` says which. A test file that imports this is skipped if there is none. The files
 * that run one after the other in a worker share its process: in tests, `close` closes what the file opened, not the process.
 */
export async function launchChromium(): Promise<Browser> {
  if ((await shared?.catch(() => undefined))?.isConnected() !== true) shared = start();
  const browser = await (shared as Promise<Browser>);
  return new Proxy(browser, {
    get(target, name) {
      if (name === 'close' && process.env.VITEST !== undefined)
        return () => Promise.all(target.contexts().map((context) => context.close()));
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function start(): Promise<Browser> {
  const { executablePath, env } = await installation();
  return chromium.launch({ executablePath, args: FLAGS, env: { ...process.env, ...env } });
}

async function installation(): Promise<Installation> {
  const shared = await askForNeed('browser');
  if (shared !== undefined && 'found' in shared) return shared.found as Installation;
  const found = shared === undefined ? await findChromium() : undefined;
  if (found === undefined) throw new Error('No Chromium found: set CHROMIUM_PATH, or install one.');
  return found;
}
