import type { Recommendation } from '../checks.ts';
import type { StepUpView } from './outcomes.ts';

/** What people of a campaign have in common. A shape of names, such as `a99`, is only shown: no list names it. */
export const CAMPAIGN_THING_KINDS = ['domain', 'mailHost', 'device', 'network', 'shape'] as const;
export type CampaignThingKind = (typeof CAMPAIGN_THING_KINDS)[number];

/** Why a person belongs to a campaign. `docs/dashboard.md` explains each. */
export type CampaignLinkKind =
  | 'domain'
  | 'mailHost'
  | 'device'
  | 'network'
  | 'rented_domains'
  | 'network_domain'
  | 'network_burst'
  | 'domain_burst'
  | 'campaign';

/** What a person shares with others of the campaign. `pattern` is a shape of names. */
export interface CampaignLink {
  kind: CampaignLinkKind;
  device?: string;
  network?: string;
  domain?: string;
  mailHost?: string;
  pattern?: string;
}

/** Something that is behind a campaign: it speaks against people who come with it. Bystanders such as gmail.com are left out. */
export interface CampaignThing {
  kind: CampaignThingKind;
  name: string;
  /** How many people of the campaign have it, and how many others of the last 30 days. */
  people: number;
  others: number;
}

/** People who belong together, fast or slow. The numbers of people are at most a minute old. */
export interface CampaignView {
  id: string;
  /** When its first and its newest person came, and when it was first noticed. */
  since: number;
  lastSeen: number;
  seenAt: number;
  /** A person came within the last two hours. */
  underWay: boolean;
  people: number;
  /** The mildest answer to each person: who was allowed once got in. */
  answers: Record<Recommendation, number>;
  /** How many got in before it was noticed. */
  allowedBefore: number;
  /** People whose outcome is known. */
  good: number;
  bad: number;
  /** How many different ones its people came with. */
  spread: { domains: number; mailHosts: number; devices: number; networks: number };
  /** Those with the most people first, at most 50 of each kind. */
  things: CampaignThing[];
  acknowledgedAt: number | null;
  /** Who acknowledged it: a member’s ID and name. */
  acknowledgedBy: string | null;
  acknowledgedByName: string | null;
  /** What stands of what was decided, the newest last. */
  decisions: CampaignDecision[];
}

export interface CampaignDecision {
  at: number;
  by: string;
  byName: string | null;
  /** What entries of the block list do to people who come with one of its things; `none`: no entries were made. */
  action: 'flag' | 'block' | 'none';
  /** The values of the entries. */
  entries: string[];
  expiresAt: number | null;
  note: string | null;
  /** Whether its people were marked as bad. */
  bad: boolean;
}

export interface CampaignsView {
  /** Those with the newest people first. */
  rows: CampaignView[];
  next: string | null;
}

export interface CampaignDetail extends CampaignView {
  /** The known good people who share one of its things: whom a block would hit. At most 50 are listed. */
  hits: { people: number; listed: { inbox: string; maskedAddress: string | null }[] };
  /** What flags asked its people for. */
  stepUps: StepUpView[];
}

export interface CampaignPeople {
  /** The one who came first comes first. */
  rows: CampaignPerson[];
  next: string | null;
}
export interface CampaignPerson {
  inbox: string;
  /** `null` if the log has no row of the person any more. */
  maskedAddress: string | null;
  domain: string | null;
  firstSeen: number;
  lastSeen: number;
  /** The mildest. */
  answer: Recommendation;
  outcome: 'good' | 'bad' | null;
  /** The ID of the newest validation. */
  validation: string | null;
  because: CampaignLink;
}

/** The validations of its people, so that a site can find its own accounts. */
export interface CampaignRequests {
  rows: CampaignRequest[];
  next: string | null;
}
export interface CampaignRequest {
  requestId: string;
  at: number;
  answer: Recommendation;
  maskedAddress: string;
  inbox: string;
  outcome: 'good' | 'bad' | null;
}
