import { importAgain } from './import-again.ts';

/** The library is in its own chunk, so that the form does not wait for it. */
export async function loadFingerprint(): Promise<string> {
  const { fingerprint } = await importAgain(
    () => import('./fingerprint.ts'),
    () => import('./fingerprint-again.ts'),
  );
  return fingerprint();
}
