import type { Recommendation } from '../checks.ts';

/** Why two people belong together. `docs/dashboard.md` explains each. */
export const RING_LINK_KINDS = [
  'device',
  'network_domain',
  'network_pattern',
  'network_burst',
  'domain_burst',
] as const;
export type RingLinkKind = (typeof RING_LINK_KINDS)[number];

/** What people of a ring have in common: a device, or a network, a domain and the pattern of their names. */
export interface RingLink {
  kind: RingLinkKind;
  device?: string;
  network?: string;
  domain?: string;
  /** The shape of the names, such as `a99`. */
  pattern?: string;
}

/** The rings of a project, those with the most people first. */
export interface RingsView {
  rings: RingView[];
  /** How many there are; only the largest are listed. */
  total: number;
  /** How many people were compared, and since when. */
  people: number;
  from: number;
  /** The log is longer than what was read. */
  partial: boolean;
}
export interface RingView {
  /** The hash of the inbox that was seen first. */
  id: string;
  people: number;
  devices: number;
  networks: number;
  /** The first few by the number of people. */
  domains: string[];
  domainCount: number;
  firstSeen: number;
  lastSeen: number;
  /** People whose outcome is known. */
  bad: number;
  good: number;
  /** The newest answer to each person. */
  answers: Record<Recommendation, number>;
}

export interface RingDetail extends RingView {
  /** At most 1,000, the one who was seen first first. */
  members: RingMemberView[];
  /** Of each at most 100, those with the most people first. */
  allDevices: RingThingView[];
  allNetworks: RingThingView[];
  allDomains: RingThingView[];
}
export interface RingMemberView {
  inbox: string;
  maskedAddress: string | null;
  domain: string;
  firstSeen: number;
  lastSeen: number;
  times: number;
  devices: string[];
  networks: string[];
  answer: Recommendation;
  outcome: 'good' | 'bad' | null;
  /** The ID of the newest validation; `null` if it was just deleted. */
  validation: string | null;
  links: RingLink[];
}
export interface RingThingView {
  name: string;
  /** How many people of the ring have it, and how many others. */
  people: number;
  others: number;
  /** Many unrelated people have it, as they have gmail.com or a carrier’s network: it links nobody. */
  isCommon: boolean;
}
