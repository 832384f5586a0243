/** The interface of `@react-native-async-storage/async-storage` and of wrappers of `expo-secure-store`. */
export interface DeviceIdStorage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<unknown>;
}

const STORAGE_KEY = 'postern.device-id';

/** A random ID for apps without their own, kept in the app’s storage if there is one. */
export async function randomDeviceId(storage: DeviceIdStorage | undefined): Promise<string> {
  const kept = await storage?.getItem(STORAGE_KEY);
  if (kept) return kept;
  const made = randomHex();
  await storage?.setItem(STORAGE_KEY, made);
  return made;
}

/** The ID is not a secret, so ordinary random numbers are good enough for an engine without `crypto`. */
function randomHex(): string {
  const bytes = new Uint8Array(16);
  if (typeof globalThis.crypto?.getRandomValues === 'function') globalThis.crypto.getRandomValues(bytes);
  else for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(Math.random() * 256);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
