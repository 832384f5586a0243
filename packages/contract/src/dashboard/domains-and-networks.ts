import type { CheckName } from '../checks.ts';
import type { CheckResult } from '../validate-response.ts';
import type { Overview } from './overview.ts';
import type { ListedEntry } from './people.ts';
import type { ValidationRow } from './validations.ts';

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

/** One domain, from the statistics, the log and the lists. */
export interface DomainView {
  domain: string;
  /** With the letters of an international name, where `domain` is as DNS has it. */
  readable: string;
  /** Many unrelated people share the domain, as they do gmail.com: it does not belong on a list. */
  mailProvider: boolean;
  figures: ShareFigures;
  /** Newest first, at most 50, of this span and with live keys. */
  validations: ValidationRow[];
  /** Whether there are more validations than these. */
  more: boolean;
  /** Entries with the domain, a parent of it, or an address there. */
  listed: ListedEntry[];
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

/** An operator’s network by its number, or one range of addresses as the log shows it (a /24 or a /48). */
export interface NetworkView {
  /** `null` for an operator’s network. */
  network: string | null;
  asn: number | null;
  name: string | null;
  country: string | null;
  /** What the IP check called its addresses, such as `hosting`, most frequent first; without `ordinary`. */
  kinds: string[];
  figures: ShareFigures;
  /** Operators are counted in the statistics, as in the overview. Ranges are counted from the log, as far back as it goes. */
  counted: 'statistics' | 'log';
  /** An operator’s ranges among its newest validations, most frequent first, at most 20. */
  ranges: { network: string; count: number; blocked: number; lastAt: number }[];
  /** Newest first, at most 50, of this span and with live keys. */
  validations: ValidationRow[];
  more: boolean;
  /** Entries that overlap the range. Lists cannot contain network numbers. */
  listed: ListedEntry[];
}
