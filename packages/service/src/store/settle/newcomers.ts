import { DAY_MS } from '@postern/contract';
import { BROWSER_CLASSES, type BrowserClass } from '../../model/browser-class.ts';
import type { ProjectPeople } from '../../model/crowds.ts';
import { MAIL_KINDS, type MailKind } from '../../model/mail-facts.ts';
import { dayOf } from './inbox.ts';

const DAYS_KEPT = 30;

/** How many people were new to the project on each of the last 30 days, with which browsers and which kind of mail. */
export interface NewcomersRow {
  /** When the first person came. */
  readonly since: number;
  /** When a campaign was last under way. */
  readonly campaignAt: number | null;
  /** The oldest first; the numbers are in the order of the lists. `rented`: rented domains that got their first and second person. */
  readonly days: readonly (readonly [
    day: number,
    byMail: readonly number[],
    byBrowser: readonly number[],
    rented: readonly number[],
  ])[];
}

/** A person who is new to the project. `place`: whether it is the first (0) or second one (1) at a new rented domain. */
interface Newcomer {
  readonly mail: MailKind;
  readonly browser: BrowserClass;
  readonly place: number;
}

export function addNewcomer(
  row: NewcomersRow | undefined,
  now: number,
  { mail, browser, place }: Newcomer,
): NewcomersRow {
  const day = dayOf(now);
  const days = (row?.days ?? []).filter(([each]) => each > day - DAYS_KEPT && each !== day);
  const [, byMail, byBrowser, rented] = row?.days.find(([each]) => each === day) ?? [day, [], [], []];
  return {
    since: row?.since ?? now,
    campaignAt: row?.campaignAt ?? null,
    days: [
      ...days,
      [
        day,
        plusOne(byMail, MAIL_KINDS.length, MAIL_KINDS.indexOf(mail)),
        plusOne(byBrowser, BROWSER_CLASSES.length, BROWSER_CLASSES.indexOf(browser)),
        plusOne(rented, 2, place),
      ],
    ],
  };
}

const plusOne = (counts: readonly number[], length: number, place: number): number[] =>
  Array.from({ length }, (_, index) => (counts[index] ?? 0) + (index === place ? 1 : 0));

/** What crowds are compared with. */
export function projectPeople(row: NewcomersRow | undefined, now: number): ProjectPeople {
  const day = dayOf(now);
  const byMail: Partial<Record<MailKind, number>> = {};
  const byBrowser: Partial<Record<BrowserClass, number>> = {};
  let week = 0;
  let month = 0;
  let rentedDomains = 0;
  let rentedPairs = 0;
  for (const [each, mails, browsers, [firsts = 0, pairs = 0]] of row?.days ?? []) {
    if (each <= day - DAYS_KEPT) continue;
    for (const [index, kind] of MAIL_KINDS.entries())
      byMail[kind] = (byMail[kind] ?? 0) + (mails[index] ?? 0);
    for (const [index, browser] of BROWSER_CLASSES.entries())
      byBrowser[browser] = (byBrowser[browser] ?? 0) + (browsers[index] ?? 0);
    const people = mails.reduce((sum, count) => sum + count, 0);
    month += people;
    rentedDomains += firsts;
    rentedPairs += pairs;
    if (now - each * DAY_MS < 8 * DAY_MS) week += people;
  }
  const { since = null, campaignAt = null } = row ?? {};
  return { since, week, month, byMail, byBrowser, rentedDomains, rentedPairs, campaignAt };
}
