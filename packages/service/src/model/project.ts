import { type CheckActions, DEFAULT_ACTIONS, type MessageTone } from '@postern/contract';

export const CLIENT_OVERRIDES = ['allow', 'tighten', 'ignore'] as const;
/** What `validations` from a public client key may do to the policy. */
export type ClientOverrides = (typeof CLIENT_OVERRIDES)[number];

export interface ProjectPolicy {
  readonly actions: CheckActions;
  readonly clientOverrides: ClientOverrides;
  readonly relays: 'pass' | 'fail';
  /** The device check fails from this many other inboxes on. */
  readonly deviceThreshold: number;
  /** A fingerprint seen from this many networks is too common to be evidence. */
  readonly deviceCommonNetworks: number;
  readonly messageTone: MessageTone;
}

/** An address, a domain, an IP address or a CIDR range. */
export interface ListEntry {
  readonly value: string;
  readonly note?: string;
  readonly expiresAt?: number;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly allowedDomains: readonly string[];
  readonly plan: string;
  /** The project’s own monthly limit; `null`: the plan’s. */
  readonly quotaLimit: number | null;
  readonly rateClient: number;
  readonly rateServer: number;
  readonly policy: ProjectPolicy;
  readonly allowList: readonly ListEntry[];
  readonly blockList: readonly ListEntry[];
  /** Sightings of devices and inboxes are forgotten after this many days. */
  readonly retentionDays: number;
  readonly createdAt: number;
  readonly archivedAt: number | null;
  /** Grows with every change. */
  readonly version: number;
}

export const DEFAULT_POLICY: ProjectPolicy = {
  actions: DEFAULT_ACTIONS,
  clientOverrides: 'allow',
  relays: 'pass',
  deviceThreshold: 3,
  deviceCommonNetworks: 10,
  messageTone: 'plain',
};

export const DEFAULT_RATE_CLIENT = 1_000;
export const DEFAULT_RATE_SERVER = 5_000;
export const DEFAULT_RETENTION_DAYS = 90;
/** A project made without any domain: the first try on a developer’s machine works. */
export const DEFAULT_ALLOWED_DOMAINS: readonly string[] = ['localhost:*'];
