/** The library comes as a chunk of its own, so that the form does not wait for it. */
export async function loadFingerprint(): Promise<string> {
  const { fingerprint } = await import('./fingerprint.ts');
  return fingerprint();
}
