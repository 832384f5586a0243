import type { ReadOutcome } from '@postern/contract';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { DAY_MS } from '../model/windows.ts';
import { createOutcomeTally, type OutcomeReport } from '../outcomes/outcome-report.ts';
import { recordOutcomes } from '../outcomes/record-outcomes.ts';
import { type Administration, audit, InvalidInput, quoted } from './administration.ts';
import { instanceHash } from './forget-person.ts';
import { findProject } from './projects.ts';

export interface ImportedOutcomes {
  readonly recorded: number;
  /** The lines that do not match a validation of the project. */
  readonly unknownLines: readonly number[];
}

/** An outcome from a file. */
export interface OutcomeLine extends ReadOutcome {
  readonly line: number;
}

const AT_ONCE = 500;
export const DEFAULT_REPORT_DAYS = 90;
const MAX_REPORT_DAYS = 400;
/** More people than this do not fit in memory comfortably; the report then says that it is partial. */
const MAX_PEOPLE = 500_000;

/** Records outcomes from a file. All of them are validated before the first one is recorded. */
export async function importOutcomes(
  admin: Administration,
  projectId: string,
  outcomes: readonly OutcomeLine[],
): Promise<ImportedOutcomes> {
  const project = await findProject(admin, projectId);
  const wrong = outcomes.find(({ email }) => email !== undefined && !parseEmailAddress(email));
  if (wrong !== undefined)
    throw new InvalidInput(
      'email',
      `line ${wrong.line}: ${quoted(wrong.email)} is not an address. Nothing was recorded.`,
    );
  const parts = { store: admin.store, keyedHash: await instanceHash(admin) };
  let recorded = 0;
  const unknownLines: number[] = [];
  for (let at = 0; at < outcomes.length; at += AT_ONCE) {
    const portion = outcomes.slice(at, at + AT_ONCE);
    const result = await recordOutcomes(parts, project.id, portion, true);
    if (!result.ok) throw new InvalidInput('email', result.error.body.error);
    recorded += result.recorded;
    unknownLines.push(...result.unknown.flatMap((index) => portion[index]?.line ?? []));
  }
  await audit(admin, 'outcomes.import', project.id, { recorded, unknown: unknownLines.length });
  return { recorded, unknownLines };
}

export interface DatedOutcomeReport extends OutcomeReport {
  readonly projectId: string;
  readonly days: number;
  readonly from: number;
  readonly to: number;
  /** There were older validations in the time span than those looked at. */
  readonly partial: boolean;
}

/** How each signal and check did, and what the answers did, over the last days. */
export async function reportOutcomes(
  admin: Administration,
  projectId: string,
  days: number = DEFAULT_REPORT_DAYS,
): Promise<DatedOutcomeReport> {
  if (!Number.isInteger(days) || days < 1 || days > MAX_REPORT_DAYS)
    throw new InvalidInput('days', `days must be a whole number from 1 to ${MAX_REPORT_DAYS}.`);
  const project = await findProject(admin, projectId);
  const to = admin.now() + 1;
  const from = to - days * DAY_MS;
  const tally = createOutcomeTally();
  let partial = false;
  for await (const portion of admin.store.outcomes.validations(project.id, from, to)) {
    for (const validation of portion) tally.add(validation);
    if (tally.size() < MAX_PEOPLE) continue;
    partial = true;
    break;
  }
  const outcomes = await admin.store.outcomes.all(project.id, MAX_PEOPLE * 2);
  return { projectId: project.id, days, from, to, partial, ...tally.report(outcomes) };
}
