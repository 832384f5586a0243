import type { CheckName } from '../checks.ts';
import type { CheckResult } from '../validate-response.ts';
import type { Overview } from './overview.ts';
import type { ListedEntry, Reach } from './people.ts';
import type { PersonJudgement, ValidationRow } from './validations.ts';

/** What a sign-up comes with, and so what it can have in common with others. A query names one of them by its kind. */
export const THING_KINDS = ['person', 'device', 'domain', 'mailHost', 'network', 'asn'] as const;
export type ThingKind = (typeof THING_KINDS)[number];

/** What people can be counted by: the columns of the log. */
export const LINKED_KINDS = ['person', 'device', 'domain', 'network', 'asn', 'country'] as const;
export type LinkedKind = (typeof LINKED_KINDS)[number];

/** Something that people came with, and how they turned out. */
export interface LinkedThing {
  /** As filters and links have it. */
  name: string;
  /** As people read it: a person’s masked address, an operator’s name. */
  title: string;
  people: number;
  /** Of these people, those about whom the latest `good` or `bad` is known. */
  good: number;
  bad: number;
  validations: number;
  blocked: number;
  lastAt: number;
}

/** What the validations of live keys have in common, those with the most people first. */
export interface LinkedThings {
  kind: LinkedKind;
  rows: LinkedThing[];
  /** Whether there are more. */
  more: boolean;
}

export interface ThingsView extends LinkedThings {
  /** Of a log with more than 100,000 rows in the time, only the newest are counted: since when. `null`: all of them. */
  since: number | null;
}

/** Everything about one thing, from the statistics, the log, the lists and the outcomes. */
export interface ThingView {
  kind: ThingKind;
  name: string;
  title: string;
  /** The entry of a list that is about it. */
  entry: string;
  figures: ShareFigures;
  /** Domains and operators are counted in the statistics, as in the overview. Others in the log, as far back as it goes. */
  counted: 'statistics' | 'log';
  /** Whom its entry would concern. */
  reach: Reach;
  /** In the part of the log that was counted. `null`: not in it. */
  firstSeen: number | null;
  /** Since when the log was counted, if it is too long to count all of it. */
  since: number | null;
  linked: LinkedThings[];
  /** Newest first, at most 50. With live keys and of this span, unless it is a person or a device. */
  validations: ValidationRow[];
  more: boolean;
  /** Entries that concern it. */
  listed: ListedEntry[];
  facts: ThingFacts;
}

/** What else is known, by what it is. */
export interface ThingFacts {
  /** Many unrelated people share the domain, as they do gmail.com. */
  mailProvider?: boolean;
  operator?: { asn: number; name: string | null } | null;
  country?: string | null;
  /** What the IP check called the addresses, such as `hosting`, most frequent first; without `ordinary`. */
  ipKinds?: string[];
  /** Where the domain’s mail goes, as the newest sign-ups found it. */
  mailHost?: string;
  /** Masked; the project keeps no address. */
  addresses?: string[];
  /** How many different spellings the shown validations have, without those of test keys. */
  spellings?: number;
  judgement?: PersonJudgement | null;
  /** How often the device or the person was seen in the retention time, and with how many of the other kind. */
  seen?: { times: number; others: number };
}

/**
 * How many validations with live keys one domain or network had. Hours, days and the previous span are those of the
 * overview, so that both pages show the same numbers.
 */
export interface ShareFigures {
  from: number;
  to: number;
  timeZone: string;
  bucketMs: number;
  /** One row for each hour or day, oldest first, without gaps. */
  series: { at: number; until: number; partial: boolean; count: number; flagged: number; blocked: number }[];
  count: number;
  flagged: number;
  blocked: number;
  /** As in the overview. All counts are 0 for a range of addresses. */
  previous: { from: number; to: number; count: number; flagged: number; blocked: number };
  /** `false`: there was too much to count each one, so these are estimates. */
  exact: boolean;
}

/** What the checks find about the domain now; may wait for DNS. */
export interface DomainChecks {
  domain: string;
  domainClass: Overview['domainClasses'][number]['domainClass'];
  /** The checks that look at the domain alone, without the project’s own lists. */
  checks: Partial<Record<CheckName, CheckResult>>;
  /** The sources that list it as a throwaway domain, out of `sources`. */
  listedBy: { name: string; tier: 'curated' | 'aggregator'; date: string }[];
  sources: number;
}
