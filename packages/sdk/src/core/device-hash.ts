/** The device’s hash; `null` if there is none or it is not ready in time. */
export type DeviceHash = (signal: AbortSignal) => Promise<string | null>;

/**
 * Starts computing immediately, in the background. Each validation then waits for it at most `timeoutMs`. If it failed,
 * for example because its code could not be loaded, the next validation tries again.
 */
export function startDeviceHash(load: () => Promise<string | null>, timeoutMs: number): DeviceHash {
  let hash: Promise<string | null> | undefined;
  const compute = () => {
    // A sign-up without a device check is better than none, so any failure here means no fingerprint.
    hash ??= load().catch(() => {
      hash = undefined;
      return null;
    });
    return hash;
  };
  void compute();
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
      void compute().then(done);
    });
}
