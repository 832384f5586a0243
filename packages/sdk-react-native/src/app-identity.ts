/** What the SDK needs to know about the app it runs in. */
export interface AppIdentity {
  /** The bundle or package ID, for example `com.example.shop`. It becomes the `Origin`. */
  readonly appId: string;
  /** An ID that stays the same while the app is installed, or `null`. Only its hash leaves the device. */
  deviceId(): Promise<string | null>;
}
