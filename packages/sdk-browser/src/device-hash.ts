/** The fingerprint in the making: it starts at once, and each validation waits for it a little while only. */
export interface DeviceHash {
  /** `null` when there is none, or not yet. */
  within(timeoutMs: number): Promise<string | null>;
}

export function startDeviceHash(load: () => Promise<string>): DeviceHash {
  // No device check is better than no sign-up form: whatever fails here counts as no fingerprint.
  const hash = load().catch(() => null);
  return {
    within: (timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(null), timeoutMs);
        void hash.then((value) => {
          clearTimeout(timer);
          resolve(value);
        });
      }),
  };
}

export const NO_DEVICE_HASH: DeviceHash = { within: () => Promise.resolve(null) };

/** The library comes as a chunk of its own, so that the form does not wait for it. */
export async function loadFingerprint(): Promise<string> {
  const { fingerprint } = await import('./fingerprint.ts');
  return fingerprint();
}
