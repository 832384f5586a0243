// The parts of the optional peer dependencies that the adapters use, copied from their published types. The packages
// themselves need a native app and are not installed here.
declare module 'expo-application' {
  export const applicationId: string | null;
  export function getAndroidId(): string;
  export function getIosIdForVendorAsync(): Promise<string | null>;
}

// Only the README’s example uses it.
declare module 'react-native' {
  type Element = (props: Record<string, unknown>) => null;
  export const Button: Element;
  export const Text: Element;
  export const TextInput: Element;
  export const View: Element;
}

declare module 'react-native-device-info' {
  export const getBundleId: () => string;
  export const getUniqueId: () => Promise<string>;
}
