import { DAY_MS } from '@postern/contract';
import type { ProjectPolicy } from './project.ts';

/** What a project knew about a device before this request. */
export interface DeviceHistory {
  /**
   * Distinct inboxes seen earlier from the device that were not always answered with `block`. This request’s own inbox
   * is included if it was seen before.
   */
  readonly previousSignups: number;
  /** Previous sign-ups with an inbox other than this request’s. */
  readonly otherAddresses: number;
  /** As how many people the other addresses count; see `countPeople`. */
  readonly people: number;
  /** As how many people those count that a backend confirmed. */
  readonly confirmedPeople: number;
  /** Distinct inboxes seen earlier from the device that were always answered with `block`. */
  readonly blockedAttempts: number;
  /** Distinct networks that sent the fingerprint, including this request’s. */
  readonly networks: number;
  /** Whether `people` reached the project’s threshold and the fingerprint is not too common to count. */
  readonly overThreshold: boolean;
  /** Whether this can only flag: the policy blocks on devices, but client keys alone, so anybody, brought it about. */
  readonly flagsOnly: boolean;
  /** Whether the fingerprint came from too many networks to be evidence. */
  readonly common: boolean;
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
}

/** What a project knew before this request. It is read and updated in the transaction that counts the request. */
export interface History {
  /** `null` when the request carried no fingerprint. */
  readonly device: DeviceHistory | null;
  /** Whether the same inbox was seen before under another spelling. */
  readonly inboxReused: boolean;
}

/**
 * How long another spelling of an inbox counts for everybody, if only a client key said so. A client key is public: its
 * claims count longer only in the network that made them, and for good once a backend has confirmed them.
 */
export const CLAIM_COUNTS_MS = 7 * DAY_MS;

/** The same for the inboxes that a device brought: many people have the same model, and so the same fingerprint. */
export const DEVICE_CLAIM_COUNTS_MS = DAY_MS;

/** The policy’s settings about devices. */
interface DeviceTerms {
  readonly threshold: number;
  readonly commonNetworks: number;
  /** Whether what only client keys claimed can at most flag, because the policy blocks. */
  readonly flagClaims: boolean;
}

export function deviceTerms({ deviceThreshold, deviceCommonNetworks, actions }: ProjectPolicy): DeviceTerms {
  return {
    threshold: deviceThreshold,
    commonNetworks: deviceCommonNetworks,
    flagClaims: actions.device === 'block',
  };
}

/** Applies these settings to a device’s history. */
export function judgeDevice(
  { people, confirmedPeople, networks }: Pick<DeviceHistory, 'people' | 'confirmedPeople' | 'networks'>,
  { threshold, commonNetworks, flagClaims }: DeviceTerms,
): Pick<DeviceHistory, 'overThreshold' | 'flagsOnly' | 'common'> {
  const common = networks >= commonNetworks;
  const overThreshold = people >= threshold && !common;
  return { overThreshold, flagsOnly: overThreshold && flagClaims && confirmedPeople < threshold, common };
}

/** From this many previous sign-ups on, the device check gives their number as a signal. */
export const SEEN_TWICE = 2;
