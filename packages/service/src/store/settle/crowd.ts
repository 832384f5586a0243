import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { CrowdThing } from '@postern/contract/rules';
import { BROWSER_CLASSES } from '../../model/browser-class.ts';
import { type CrowdPerson, type CrowdReason, judgeCrowd, type ProjectPeople } from '../../model/crowds.ts';
import type { CrowdHistory } from '../../model/history.ts';
import { MAIL_KINDS } from '../../model/mail-facts.ts';
import type { Sighting } from '../submission.ts';
import type { RowOf } from '../table-of.ts';
import type { CROWD, PersonFacts, PersonOfCrowd } from '../tables/settle-tables.ts';
import { dayOf } from './inbox.ts';

/** People of a crowd are remembered for a month, or for the project’s retention if that is shorter. */
export const CROWD_MS = 30 * DAY_MS;
const MAX_PEOPLE = 200;
const MINUTE_MS = 60_000;

export type CrowdRow = Omit<RowOf<typeof CROWD>, 'projectId'>;

const MARKS = { hosting: 1, institution: 2, confirmed: 4, accused: 8, good: 16, bad: 32, new: 64 } as const;
const INBOX_LENGTH = 8;
const NAME_LENGTH = 6;

export const shortInbox = (hash: string): string => hash.slice(0, INBOX_LENGTH);
export const shortName = (hash: string | null): string => hash?.slice(0, NAME_LENGTH) ?? '';

/** The rows that a request may count in, by what they are about. */
export function thingsOf({ traits, networkHash }: Sighting): Partial<Record<CrowdThing, string>> {
  const { domain, mailHost, sharesNetwork } = traits;
  return {
    ...(domain !== null && { domain: `d${domain}` }),
    ...(mailHost !== null && { mailHost: `m${mailHost}` }),
    ...(networkHash !== null && !sharesNetwork && { network: `n${networkHash}` }),
  };
}

const KINDS: Readonly<Record<string, CrowdThing>> = { d: 'domain', m: 'mailHost', n: 'network' };
export const kindOfThing = (thing: string): CrowdThing => KINDS[thing[0] ?? ''] ?? 'network';

export function factsOf({ traits, keyType }: Sighting, accused: boolean): PersonFacts {
  const marks =
    (traits.hosting ? MARKS.hosting : 0) +
    (traits.institution ? MARKS.institution : 0) +
    (keyType === 'server' ? MARKS.confirmed : 0) +
    (accused ? MARKS.accused : 0);
  return [MAIL_KINDS.indexOf(traits.mail), BROWSER_CLASSES.indexOf(traits.browser), marks];
}

export function personOf(sighting: Sighting, accused: boolean): PersonOfCrowd {
  const { now, inboxHash, networkHash, deviceHash, traits } = sighting;
  return [
    Math.floor(now / MINUTE_MS),
    shortInbox(inboxHash),
    shortName(networkHash),
    shortName(deviceHash),
    shortName(traits.domain),
    ...factsOf(sighting, accused),
  ];
}

export function readPerson(entry: PersonOfCrowd): CrowdPerson {
  const [minute, inbox, network, device, domain, mail, browser, marks] = entry;
  return {
    at: minute * MINUTE_MS,
    inbox,
    network,
    device,
    domain,
    mail: MAIL_KINDS[mail] ?? 'unknown',
    browser: BROWSER_CLASSES[browser] ?? 'other',
    hosting: (marks & MARKS.hosting) !== 0,
    institution: (marks & MARKS.institution) !== 0,
    confirmed: (marks & MARKS.confirmed) !== 0,
    accused: (marks & MARKS.accused) !== 0,
    outcome: (marks & MARKS.bad) !== 0 ? 'bad' : (marks & MARKS.good) !== 0 ? 'good' : null,
  };
}

/** In a device’s list, whose people may have come to the project before. */
export const wasNew = (marks: number): boolean => (marks & MARKS.new) !== 0;
export const confirmedMark = (marks: number): number => marks | MARKS.confirmed;
export const markedNew = (marks: number): number => marks | MARKS.new;

/** What the site said about a person. */
export interface SaidOfPerson {
  readonly judgement: 'good' | 'bad' | null;
  readonly accepted: boolean;
}

export function marksWith(marks: number, { judgement, accepted }: SaidOfPerson): number {
  const others = marks & ~(MARKS.good | MARKS.bad);
  return others | (judgement === null ? 0 : MARKS[judgement]) | (accepted ? MARKS.confirmed : 0);
}

/** Fewer people are a crowd under no rule, so they are only counted. */
const FEWEST: Readonly<Record<CrowdThing, number>> = { domain: 1, mailHost: 8, network: 30, device: 3 };

/**
 * What the project knew about the people who came with a thing. `undefined`: no other person did. A person who was counted with the
 * thing before is judged as then: by those who came earlier. A person who came to the project with other things is not judged.
 */
export function crowdHistory(
  thing: CrowdThing,
  row: Pick<CrowdRow, 'since' | 'older' | 'people'> | undefined,
  { inboxHash, networkHash, now, traits }: Sighting,
  isKnown: boolean,
  project: ProjectPeople,
  isFull = (row?.people.length ?? 0) >= MAX_PEOPLE,
): CrowdHistory | undefined {
  if (row === undefined) return undefined;
  const own = shortInbox(inboxHash);
  const place = row.people.findIndex(([, inbox]) => inbox === own);
  const others = place < 0 ? row.people : row.people.filter((_, index) => index !== place);
  if (others.length === 0) return undefined;
  const counts = countsOf(others, now);
  const judged = place < 0 ? others : others.slice(0, place);
  let reason: CrowdReason | undefined;
  if (judged.length >= FEWEST[thing] && (place >= 0 || !isKnown)) {
    const at = place < 0 ? now : (row.people[place]?.[0] ?? 0) * MINUTE_MS;
    const people = judged.map(readPerson);
    const { mail, institution } = traits;
    const { since, older } = row;
    const network = shortName(networkHash);
    const crowd = { people, since, older, isFull, now: at, mail, institution, network };
    reason = judgeCrowd(thing, crowd, project);
  }
  return {
    counts,
    since: row.since,
    ...(thing === 'mailHost' && { domains: new Set(others.map(([, , , , domain]) => domain)).size }),
    ...(reason !== undefined && { reason }),
  };
}

/** Minutes are rounded down, so everybody of the last hour is in it. */
function countsOf(people: readonly PersonOfCrowd[], now: number): CrowdHistory['counts'] {
  const since = (ms: number) => {
    const first = Math.floor((now - ms) / MINUTE_MS);
    return people.reduce((count, [minute]) => (minute >= first ? count + 1 : count), 0);
  };
  return [since(HOUR_MS), since(DAY_MS), since(7 * DAY_MS), Math.min(MAX_PEOPLE, people.length)];
}

/** The row with one more person, or as it is if there are too many like that of this minute to count them all. */
export function joinCrowd(
  before: CrowdRow | undefined,
  thing: string,
  person: PersonOfCrowd,
  cutoff: number,
): CrowdRow {
  const row = before && crowdSince(before, cutoff);
  const people = row?.people ?? [];
  const isEnough = (other: PersonOfCrowd) =>
    other[0] === person[0] && (isConfirmed(other) || !isConfirmed(person));
  if (row !== undefined && people.length >= MAX_PEOPLE && people.some(isEnough)) return row;
  return withOldestDay({
    thing,
    since: row?.since ?? person[0] * MINUTE_MS,
    older: row?.older ?? 0,
    people: newest([...people, person]),
    oldestDay: 0,
  });
}

/** Which of the first three people at a new domain this is, from 0 on, if they came within a week; -1 any other, or from a network of the others. */
export function placeAtDomain(row: CrowdRow | undefined, [minute, , network]: PersonOfCrowd): number {
  if (row === undefined) return 0;
  const { people, older } = row;
  const isStranger = older === 0 && people.length < 3 && people.every(([, , other]) => other !== network);
  return isStranger && minute - (people[0]?.[0] ?? 0) < (7 * DAY_MS) / MINUTE_MS ? people.length : -1;
}

const isConfirmed = ([, , , , , , , marks]: PersonOfCrowd) => (marks & MARKS.confirmed) !== 0;

/** What strangers claim does not make a crowd forget a person whom a backend confirmed. */
function newest(people: readonly PersonOfCrowd[]): readonly PersonOfCrowd[] {
  if (people.length <= MAX_PEOPLE) return people;
  const kept = new Set([...people.slice(-MAX_PEOPLE), ...people.filter(isConfirmed).slice(-MAX_PEOPLE)]);
  return people.filter((person) => kept.has(person));
}

/** The row after a backend itself asked about a person. */
export function crowdConfirmed(row: CrowdRow, inboxHash: string): CrowdRow {
  const own = shortInbox(inboxHash);
  const isClaimed = row.people.some((person) => person[1] === own && !isConfirmed(person));
  return isClaimed ? withMarks(row, own, confirmedMark) : row;
}

/** What is left of the row at the cutoff or later. A thing without people is forgotten. */
export function crowdSince(row: CrowdRow, cutoff: number): CrowdRow | undefined {
  const first = Math.floor(cutoff / MINUTE_MS);
  if ((row.people[0]?.[0] ?? 0) >= first) return row;
  const people = row.people.filter(([minute]) => minute >= first);
  if (people.length === 0) return undefined;
  const quiet = row.people.filter((person) => person[0] < first && !readPerson(person).accused);
  return withOldestDay({ ...row, people, older: row.older + quiet.length });
}

/** The row without a person; `undefined` if that was all. */
export function withoutPerson(row: CrowdRow, inboxHash: string): CrowdRow | undefined {
  const people = row.people.filter(([, inbox]) => inbox !== shortInbox(inboxHash));
  return people.length === 0 ? undefined : withOldestDay({ ...row, people });
}

/** The row after the site said something about a person. */
export function withOutcome(row: CrowdRow, inboxHash: string, said: SaidOfPerson): CrowdRow {
  return withMarks(row, shortInbox(inboxHash), (marks) => marksWith(marks, said));
}

function withMarks(row: CrowdRow, own: string, change: (marks: number) => number): CrowdRow {
  const place = row.people.findIndex(([, inbox]) => inbox === own);
  const person = row.people[place];
  if (person === undefined) return row;
  const [minute, inbox, network, device, domain, mail, browser, before] = person;
  const marks = change(before);
  const marked: PersonOfCrowd = [minute, inbox, network, device, domain, mail, browser, marks];
  return marks === before ? row : { ...row, people: row.people.with(place, marked) };
}

const withOldestDay = (row: CrowdRow): CrowdRow => ({
  ...row,
  oldestDay: dayOf((row.people[0]?.[0] ?? 0) * MINUTE_MS),
});
