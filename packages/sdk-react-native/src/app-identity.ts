/** What the SDK needs to know about the app it runs in. */
export interface AppIdentity {
  /** The bundle or package ID, for example `com.example.shop`; it makes the `Origin`. */
  readonly appId: string;
  /** An ID that stays while the app is installed; only its hash leaves the device. `null` when there is none. */
  deviceId(): Promise<string | null>;
}
