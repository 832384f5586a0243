/** The device’s hash, waited for a little while only; `null` when there is none, or not yet. */
export type DeviceHash = (signal: AbortSignal) => Promise<string | null>;

/** Starts at once, in the background; each validation then waits for it no longer than `timeoutMs`. */
export function startDeviceHash(load: () => Promise<string | null>, timeoutMs: number): DeviceHash {
  // No device check is better than no sign-up form: whatever fails here counts as no fingerprint.
  const hash = load().catch(() => null);
  return (signal) =>
    new Promise((resolve) => {
      const done = (value: string | null) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        resolve(value);
      };
      const giveUp = () => done(null);
      const timer = setTimeout(giveUp, timeoutMs);
      signal.addEventListener('abort', giveUp);
      void hash.then(done);
    });
}
