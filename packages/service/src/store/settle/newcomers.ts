import { DAY_MS, HOUR_MS } from '@postern/contract';
import { BROWSER_CLASSES, type BrowserClass } from '../../model/browser-class.ts';
import type { ProjectPeople } from '../../model/crowds.ts';
import { MAIL_KINDS, type MailKind } from '../../model/mail-facts.ts';
import type { RowOf } from '../table-of.ts';
import type { DayOfNewcomers, NEWCOMERS } from '../tables/settle-tables.ts';
import { dayOf } from './inbox.ts';

const DAYS_KEPT = 30;
/** The sums of the first, second and third people at new rented domains. */
const RENTED_SUMS = ['rentedDomains', 'rentedPairs', 'rentedThrees'] as const;

export type NewcomersRow = Omit<RowOf<typeof NEWCOMERS>, 'projectId'>;

type Sums = { -readonly [Key in keyof ProjectPeople]: ProjectPeople[Key] } & {
  byMail: Partial<Record<MailKind, number>>;
  byBrowser: Partial<Record<BrowserClass, number>>;
};

/** A person who is new to the project. `place`: whether it is the first (0), second or third one at a new rented domain. */
interface Newcomer {
  readonly mail: MailKind;
  readonly browser: BrowserClass;
  readonly place: number;
}

/** A project’s new people while a batch is settled. Every request asks for the sums, so they are counted on in place. */
export class Newcomers {
  #row: NewcomersRow | undefined;
  #sums: Sums | undefined;
  #sumsDay = -1;
  isChanged = false;

  constructor(row: NewcomersRow | undefined) {
    this.#row = row;
  }

  get row(): NewcomersRow | undefined {
    return this.#row;
  }

  /** What crowds are compared with. */
  people(now: number): ProjectPeople {
    return this.#sumsOf(now);
  }

  add(now: number, { mail, browser, place }: Newcomer): void {
    const sums = this.#sumsOf(now);
    const [, byMail, byBrowser, rented] = this.#today(now);
    countAt(byMail, MAIL_KINDS.indexOf(mail));
    countAt(byBrowser, BROWSER_CLASSES.indexOf(browser));
    if (place >= 0) countAt(rented, place);
    sums.byMail[mail] = (sums.byMail[mail] ?? 0) + 1;
    sums.byBrowser[browser] = (sums.byBrowser[browser] ?? 0) + 1;
    sums.week += 1;
    sums.month += 1;
    const rentedSum = RENTED_SUMS[place];
    if (rentedSum !== undefined) sums[rentedSum] += 1;
    this.isChanged = true;
  }

  /** A campaign is under way. That is only written now and then. */
  noteCampaign(now: number): void {
    if (this.#row === undefined || now - (this.#row.campaignAt ?? 0) < HOUR_MS) return;
    const campaignAt = Math.floor(now);
    this.#row = { ...this.#row, campaignAt };
    if (this.#sums) this.#sums.campaignAt = campaignAt;
    this.isChanged = true;
  }

  #sumsOf(now: number): Sums {
    const day = dayOf(now);
    if (this.#sums === undefined || this.#sumsDay !== day) this.#sums = sumsOf(this.#row, now);
    this.#sumsDay = day;
    return this.#sums;
  }

  #today(now: number): DayOfNewcomers {
    const day = dayOf(now);
    const days = this.#row?.days ?? [];
    const known = days.find(([each]) => each === day);
    if (known !== undefined) return known;
    const today: DayOfNewcomers = [day, [], [], []];
    const kept = days.filter(([each]) => each > day - DAYS_KEPT);
    this.#row = {
      since: this.#row?.since ?? now,
      campaignAt: this.#row?.campaignAt ?? null,
      days: [...kept, today],
    };
    if (this.#sums) this.#sums.since = this.#row.since;
    return today;
  }
}

function countAt(counts: number[], place: number): void {
  while (counts.length <= place) counts.push(0);
  counts[place] = (counts[place] ?? 0) + 1;
}

function sumsOf(row: NewcomersRow | undefined, now: number): Sums {
  const day = dayOf(now);
  const { since = null, campaignAt = null } = row ?? {};
  const sums: Sums = {
    ...{ since, campaignAt, week: 0, month: 0, byMail: {}, byBrowser: {} },
    ...{ rentedDomains: 0, rentedPairs: 0, rentedThrees: 0 },
  };
  for (const [each, mails, browsers, rented] of row?.days ?? []) {
    if (each <= day - DAYS_KEPT) continue;
    for (const [index, kind] of MAIL_KINDS.entries())
      sums.byMail[kind] = (sums.byMail[kind] ?? 0) + (mails[index] ?? 0);
    for (const [index, browser] of BROWSER_CLASSES.entries())
      sums.byBrowser[browser] = (sums.byBrowser[browser] ?? 0) + (browsers[index] ?? 0);
    const people = mails.reduce((sum, count) => sum + count, 0);
    sums.month += people;
    for (const [place, name] of RENTED_SUMS.entries()) sums[name] += rented[place] ?? 0;
    if (now - each * DAY_MS < 8 * DAY_MS) sums.week += people;
  }
  return sums;
}
