/** What a project remembered of a device before this request. */
export interface DeviceHistory {
  /** Distinct inboxes that the device brought before, this request’s own among them if it came before. */
  readonly previousSignups: number;
  /** Those of them that are not this request’s inbox. */
  readonly otherAddresses: number;
  /** Distinct networks that the fingerprint came from, this request’s included. */
  readonly networks: number;
  /** Whether `otherAddresses` reached the project’s threshold and the fingerprint is not too common to count. */
  readonly overThreshold: boolean;
  /** Whether the fingerprint came from too many networks to be evidence. */
  readonly common: boolean;
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
}

/** What a project remembered before this request, read and added to in the same transaction that counts it. */
export interface History {
  /** `null` when the request carried no fingerprint. */
  readonly device: DeviceHistory | null;
  /** Whether the same inbox was seen before under another spelling. */
  readonly inboxReused: boolean;
}
