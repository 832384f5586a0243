// A small implementation of expo-application’s published interface, on the platform that the test chooses.
const device = { os: 'ios' as 'ios' | 'android' | 'web', iosId: '68753A44-4D6F-1226-9C60-0050E4C00067' };

export const setDevice = (changes: Partial<typeof device>) => Object.assign(device, changes);

export const applicationId: string | null = 'com.example.shop';

export function getAndroidId(): string {
  if (device.os !== 'android') throw new Error('The method or property androidId is not available');
  return 'dd96dec43fb81c97';
}

export async function getIosIdForVendorAsync(): Promise<string | null> {
  if (device.os !== 'ios') throw new Error('The method or property getIosIdForVendorAsync is not available');
  return device.iosId;
}
