import { DAY_MS, type ReadOutcome, readOutcome } from '@postern/contract';
import { CsvFault, type CsvRow, readCsv } from '@postern/contract/csv';
import type { OutcomeReportView, OutcomesImported } from '@postern/contract/dashboard';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { countValidations, estimatePeople } from '../outcomes/estimate-people.ts';
import {
  addPastPeople,
  knownPeople,
  newestPeople,
  REPORT_LIMITS,
  type ReportLimits,
  type ReportSpan,
} from '../outcomes/known-people.ts';
import type { OutcomeReport } from '../outcomes/outcome-report.ts';
import { type OutcomeParts, recordOutcomes } from '../outcomes/record-outcomes.ts';
import { findRulesGoneBad } from '../outcomes/rules-gone-bad.ts';
import { createdAtOf, sinceCreation } from '../outcomes/since-creation.ts';
import { stepUpFigures } from '../outcomes/step-up-figures.ts';
import { slotOf } from '../store/statistics/statistics-words.ts';
import { type Administration, InvalidInput, quoted } from './administration.ts';
import { findProject } from './change-project.ts';
import { instanceHash } from './instance-hash.ts';
import { type DashboardHandlers, ok, queryNumber, type RouteCall } from './operation.ts';
import { perform } from './perform.ts';

export interface OutcomeRouteParts {
  /** An outcome counts for people who were last seen within this time. */
  readonly outcomeRetentionMs: number;
}

export function outcomeRoutes({ outcomeRetentionMs }: OutcomeRouteParts) {
  return {
    'POST /projects/:id/outcomes/import': async (call) => {
      const { file } = call.body;
      const outcomes = readOutcomeFile(file, call.admin.now());
      return ok(await importOutcomes(call.admin, call.params.id, outcomes, outcomeRetentionMs));
    },
  } satisfies Partial<DashboardHandlers>;
}

export const outcomeOperations = {
  'GET /projects/:id/outcomes': async (call) => ok(await call.longReads(() => report(call))),
} satisfies Partial<DashboardHandlers>;

async function report(call: RouteCall<'GET /projects/:id/outcomes'>): Promise<OutcomeReportView> {
  const days = queryNumber(call, 'days', 1, 400) ?? DEFAULT_REPORT_DAYS;
  const project = await findProject(call.admin, call.params.id);
  const counted = await reportOutcomes(call.admin, project.id, days);
  const asked = await call.admin.store.challenges.asked(project.id, { since: counted.from });
  const goneBad = await findRulesGoneBad(call.admin.store, project, call.admin.now());
  const rulesGoneBad = goneBad.map(({ rule: { id, name, then }, ...figures }) => ({
    ...{ id, name, then: then as 'flag' | 'block' },
    ...figures,
  }));
  return { ...counted, rulesGoneBad, stepUps: stepUpFigures(asked, call.admin.now()) };
}

const BATCH_SIZE = 500;
const DEFAULT_REPORT_DAYS = 90;
const MAX_REPORT_DAYS = 400;

/**
 * Records outcomes from a file. All of them are validated before the first one is recorded. An outcome counts if the
 * person was last seen within `outcomeRetentionMs`.
 */
export async function importOutcomes(
  admin: Administration,
  projectId: string,
  outcomes: readonly OutcomeLine[],
  outcomeRetentionMs: number,
): Promise<OutcomesImported> {
  const project = await findProject(admin, projectId);
  const wrong = outcomes.find(({ email }) => email !== undefined && !parseEmailAddress(email));
  if (wrong !== undefined)
    throw new InvalidInput(
      'email',
      `line ${wrong.line}: ${quoted(wrong.email)} is not an address. Nothing was recorded.`,
    );
  const { store, now } = admin;
  const commit: OutcomeParts['commit'] = (write, recorded, unknown) =>
    perform(admin, async () => {
      const detail = { recorded, unknown };
      return { write, note: [{ action: 'outcomes.import', project: project.id, detail }], answer: undefined };
    });
  const parts = { store, keyedHash: await instanceHash(admin), now, outcomeRetentionMs, commit };
  let recorded = 0;
  const unknownLines: number[] = [];
  for (let at = 0; at < outcomes.length; at += BATCH_SIZE) {
    const batch = outcomes.slice(at, at + BATCH_SIZE);
    const result = await recordOutcomes(parts, project.id, batch, true);
    if (!result.ok) throw new InvalidInput('email', result.error.body.error);
    recorded += result.recorded;
    unknownLines.push(...result.unknown.flatMap((index) => batch[index]?.line ?? []));
  }
  return { recorded, unknownLines };
}

type DatedOutcomeReport = OutcomeReport &
  Pick<OutcomeReportView, 'projectId' | 'days' | 'from' | 'to' | 'partial'>;

/**
 * How well each signal and check tells bad people from good ones, and whom the answers stopped, over the last `days`. A
 * short log is read whole. Of a long one, only the first and last validations of people with a known outcome are read,
 * and the number of all people is estimated from the statistics.
 */
export async function reportOutcomes(
  admin: Administration,
  projectId: string,
  days: number = DEFAULT_REPORT_DAYS,
  limits: ReportLimits = REPORT_LIMITS,
): Promise<DatedOutcomeReport> {
  if (!Number.isInteger(days) || days < 1 || days > MAX_REPORT_DAYS)
    throw new InvalidInput('days', `days must be a whole number from 1 to ${MAX_REPORT_DAYS}.`);
  const project = await findProject(admin, projectId);
  const { store } = admin;
  const to = admin.now() + 1;
  const span = { projectId, from: to - days * DAY_MS, to };
  const seenAs = sinceCreation(project.rules);
  if (!(await store.log.isLongerThan(project.id, span, limits.validations))) {
    const all = await newestPeople(store, span, limits.validations, seenAs);
    const past = await addPastPeople(store, span, limits.knownPeople, all, seenAs);
    const outcomes = new Map([...past, ...(await store.outcomes.findMany(project.id, all.inboxes()))]);
    return { ...span, days, partial: false, ...all.report(outcomes) };
  }
  const known = await knownPeople(store, span, limits.knownPeople, seenAs);
  const sample = await newestPeople(store, span, limits.sample, seenAs);
  const counted = await countLogged(store, span, createdAtOf(project.rules));
  const estimates = estimatePeople(counted, sample.counts());
  return { ...span, days, partial: known.partial, ...known.tally.report(known.outcomes, estimates) };
}

/** The validations that the statistics counted since the log’s oldest row. Statistics are kept longer than the log. */
async function countLogged(
  { log, statistics }: Administration['store'],
  { projectId, from, to }: ReportSpan,
  createdAt: (rule: string) => number,
): Promise<ReadonlyMap<string, number>> {
  const oldest = (await log.oldestAt(projectId)) ?? to;
  return countValidations(statistics.read(projectId, slotOf(Math.max(from, oldest)), to), createdAt);
}

/** With fewer known people than this, a share means little. */
const LEAST_KNOWN = 5;

/** The share of bad people for each signal with enough known people. */
export async function badShares(
  admin: Administration,
  projectId: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await reportOutcomes(admin, projectId);
  return new Map(
    rows.flatMap(({ kind, name, known, share }) =>
      kind === 'signal' && share !== null && known >= LEAST_KNOWN ? [[name, share] as const] : [],
    ),
  );
}

/** An outcome from a file. */
export interface OutcomeLine extends ReadOutcome {
  readonly line: number;
}

const COLUMNS = ['requestId', 'email', 'outcome', 'reason', 'at'] as const;

/** Reads a CSV file of outcomes. An error names its line. A file with an error is not used at all. */
export function readOutcomeFile(text: string, now: number): OutcomeLine[] {
  const [first, ...rows] = readTable(text);
  const titles = (first?.cells ?? []).map((title) => title.toLowerCase());
  const columns = COLUMNS.map((name) => [name, titles.indexOf(name.toLowerCase())] as const);
  const has = (name: string) => columns.some(([column, index]) => column === name && index >= 0);
  if (!has('outcome') || !(has('requestId') || has('email')))
    throw new InvalidInput(
      'file',
      `The first line must name the columns: requestId or email, outcome, and optionally reason and at.`,
    );
  return rows.map(({ line, cells }) => {
    const fields = columns.flatMap(([name, column]) => {
      const cell = cells[column] ?? '';
      return cell === '' ? [] : [[name, cell] as const];
    });
    const read = readOutcome(Object.fromEntries(fields), `line ${line}`, now, ': ');
    if (!read.ok) throw new InvalidInput('file', `${read.error.body.error}. Nothing was recorded.`);
    return { ...read.value, line };
  });
}

function readTable(text: string): CsvRow[] {
  try {
    return readCsv(text);
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    throw new InvalidInput('file', `${error.message}. Nothing was recorded.`);
  }
}
