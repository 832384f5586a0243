import type { Store } from '../store/store.ts';
import type { PersonOutcome, ValidationMarks } from '../store/tables/outcome-table.ts';
import { createOutcomeTally } from './outcome-report.ts';

type OutcomeTally = ReturnType<typeof createOutcomeTally>;
type OutcomeReader = Pick<Store, 'outcomes'>;
/** Can leave marks out. */
type SeenAs = (validation: ValidationMarks) => ValidationMarks;

/** A project’s time span, in milliseconds since 1970. `to` is not part of it. */
export interface ReportSpan {
  readonly projectId: string;
  readonly from: number;
  readonly to: number;
}

/** What one report reads at most, so that it takes less than 300 ms; bench/RESULTS.md has the figures. */
export interface ReportLimits {
  /** A time span with more validations than this is not read as a whole. */
  readonly validations: number;
  /** Of a longer one, this many of the newest are read, to see how often one person tries. */
  readonly sample: number;
  /** With more known people than this, those who were seen last stand for all. */
  readonly knownPeople: number;
}

export const REPORT_LIMITS: ReportLimits = { validations: 8_000, sample: 2_000, knownPeople: 1_000 };

const PEOPLE_AT_ONCE = 500;

export interface KnownPeople {
  readonly tally: OutcomeTally;
  readonly outcomes: ReadonlyMap<string, PersonOutcome>;
  /** There are more known people than those counted. */
  readonly partial: boolean;
}

/** The people whose outcome is known, with their newest validations. The rest of a long log is not read. */
export async function knownPeople(
  { outcomes }: OutcomeReader,
  span: ReportSpan,
  limit: number,
  seenAs: SeenAs,
): Promise<KnownPeople> {
  const { projectId, from, to } = span;
  const found = await outcomes.latestJudged(projectId, limit + 1);
  const inboxes = [...found.keys()].slice(0, limit);
  const tally = createOutcomeTally();
  for (let at = 0; at < inboxes.length; at += PEOPLE_AT_ONCE) {
    const portion = inboxes.slice(at, at + PEOPLE_AT_ONCE);
    for (const validation of await outcomes.validationsOf(projectId, portion))
      if (validation.at >= from && validation.at < to) tally.add(seenAs(validation));
    for (const person of await outcomes.pastPeople(projectId, portion))
      if (person.at >= from && person.at < to) tally.add(seenAs(person));
  }
  return { tally, outcomes: found, partial: found.size > limit };
}

/** Adds the known people whose log rows are gone, at most `limit`. Returns their outcomes. */
export async function addPastPeople(
  { outcomes }: OutcomeReader,
  { projectId, from, to }: ReportSpan,
  limit: number,
  tally: Pick<OutcomeTally, 'add'>,
  seenAs: SeenAs,
): Promise<ReadonlyMap<string, PersonOutcome>> {
  const judged = await outcomes.latestJudged(projectId, limit);
  const added = new Map<string, PersonOutcome>();
  for (const person of await outcomes.pastPeople(projectId, [...judged.keys()])) {
    const outcome = judged.get(person.inbox);
    if (person.at < from || person.at >= to || outcome === undefined) continue;
    tally.add(seenAs(person));
    added.set(person.inbox, outcome);
  }
  return added;
}

/** The newest validations of everybody, at most `limit`. */
export async function newestPeople(
  { outcomes }: OutcomeReader,
  { projectId, from, to }: ReportSpan,
  limit: number,
  seenAs: SeenAs,
): Promise<OutcomeTally> {
  const tally = createOutcomeTally();
  let looked = 0;
  for await (const portion of outcomes.validations(projectId, from, to)) {
    for (const validation of portion) {
      if (looked === limit) return tally;
      looked += 1;
      tally.add(seenAs(validation));
    }
  }
  return tally;
}
