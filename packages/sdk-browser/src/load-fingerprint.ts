/** The library is in its own chunk, so that the form does not wait for it. */
export async function loadFingerprint(): Promise<string> {
  const { fingerprint } = await import('./fingerprint.ts');
  return fingerprint();
}
