import { getBundleId, getUniqueId } from 'react-native-device-info';
import type { AppIdentity } from './app-identity.ts';

/** The app as `react-native-device-info` knows it. */
export function deviceInfoApp(): AppIdentity {
  return { appId: getBundleId(), deviceId: () => getUniqueId() };
}
