import { DAY_MS } from '@postern/contract';
import type { CrowdThing } from '@postern/contract/rules';
import type { CrowdReason } from './crowds.ts';
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
  /** As how many people the other addresses count; see `countPeople`. 0 if many strangers or colleagues have the device. */
  readonly people: number;
  /** As how many people those count that a backend confirmed. */
  readonly confirmedPeople: number;
  /** Distinct inboxes seen earlier from the device that were always answered with `block`. */
  readonly blockedAttempts: number;
  /** Distinct networks from which inboxes signed up with the fingerprint, including this request’s. */
  readonly networks: number;
  /** Whether `people` reached the project’s threshold. */
  readonly overThreshold: boolean;
  /** Whether this can only flag: the policy blocks on devices, but client keys alone, so anybody, brought it about. */
  readonly flagsOnly: boolean;
  /** Whether many strangers have the fingerprint: it came from several networks, and such browsers hide their hardware. */
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
  /** Others who came to the project with the same thing. A thing that no other person came with is absent. */
  readonly crowds?: Readonly<Partial<Record<CrowdThing, CrowdHistory>>>;
}

/** Inboxes that were new to the project when they came with a thing, without this request’s. At most 200 are counted. */
export interface CrowdHistory {
  readonly counts: readonly [hour: number, day: number, week: number, month: number];
  /** When the first came. */
  readonly since: number;
  /** Of a mail host: their domains. */
  readonly domains?: number;
  /** Present if they are a crowd. */
  readonly reason?: CrowdReason;
}

/**
 * How long another spelling of an inbox counts for everybody, if only a client key said so. A client key is public: its
 * claims count longer only in the network that made them, and for good once a backend has confirmed them.
 */
export const CLAIM_COUNTS_MS = 7 * DAY_MS;

/** The same for the inboxes that a device brought: many people have the same model, and so the same fingerprint. */
export const DEVICE_CLAIM_COUNTS_MS = DAY_MS;

/** Applies the policy’s settings to a device’s history. What only client keys claimed flags where the policy blocks. */
export function judgeDevice(
  { people, confirmedPeople }: Pick<DeviceHistory, 'people' | 'confirmedPeople'>,
  { deviceThreshold, actions }: Pick<ProjectPolicy, 'deviceThreshold' | 'actions'>,
): Pick<DeviceHistory, 'overThreshold' | 'flagsOnly'> {
  const isConfirmed = confirmedPeople >= deviceThreshold;
  const overThreshold = isConfirmed || people >= deviceThreshold;
  return { overThreshold, flagsOnly: overThreshold && actions.device === 'block' && !isConfirmed };
}

/** From this many previous sign-ups on, the device check gives their number as a signal. */
export const SEEN_TWICE = 2;
