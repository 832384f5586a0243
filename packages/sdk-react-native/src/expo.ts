import * as Application from 'expo-application';
import type { AppIdentity } from './app-identity.ts';

/** The app as `expo-application` knows it. */
export function expoApp(): AppIdentity {
  const appId = Application.applicationId;
  if (appId === null) throw new Error('expo-application has no applicationId on this platform');
  return { appId, deviceId };
}

/** Each of the two functions throws on the other platform. */
async function deviceId(): Promise<string | null> {
  try {
    return await Application.getIosIdForVendorAsync();
  } catch {
    try {
      return Application.getAndroidId();
    } catch {
      return null;
    }
  }
}
