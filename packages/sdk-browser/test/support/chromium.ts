import { type Browser, chromium } from 'playwright';
import { findChromium } from './find-chromium.ts';

/** The sandbox does not work as root. Nothing here loosens CORS, which the tests are about. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Starts a real Chromium; `find-chromium.ts` says which. */
export async function launchChromium(): Promise<Browser> {
  const found = await findChromium();
  if (found === undefined) {
    throw new Error('No Chromium found: set CHROMIUM_PATH, or install one (apt-get install chromium)');
  }
  const { executablePath, env } = found;
  return chromium.launch({
    executablePath,
    args: FLAGS,
    env: { ...process.env, ...env },
  });
}
