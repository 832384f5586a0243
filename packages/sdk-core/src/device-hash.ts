/** The device’s hash; `null` if there is none or it is not ready in time. */
export type DeviceHash = (signal: AbortSignal) => Promise<string | null>;

/** Starts computing immediately, in the background. Each validation then waits for it at most `timeoutMs`. */
export function startDeviceHash(load: () => Promise<string | null>, timeoutMs: number): DeviceHash {
  // A sign-up without a device check is better than none, so any failure here means no fingerprint.
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
