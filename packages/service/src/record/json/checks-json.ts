import { CHECK_METADATA, CHECK_NAMES, type CheckName, type CheckResult } from '@postern/contract';
import type { CheckRun, CheckRuns } from '../../checks/run-checks.ts';
import { checkResult } from '../../decision/check-results.ts';
import { jsonString } from '../../model/json-text.ts';

/** The checks’ results as JSON. */
export interface WrittenChecks {
  /** In the log’s shorter form, see `LoggedCheck`, and without the fields that can name a person. */
  readonly forLog: () => string;
  /** As the caller receives them. `recalled` are the runs after the project’s history was added. */
  readonly forAnswer: (recalled: CheckRuns) => string;
}

/** One result as an object member, for the answer and for the log. */
interface WrittenCheck {
  readonly run: CheckRun;
  readonly answered: string;
  readonly logged: string;
}

/**
 * Serializing is most of the cost of a response, so each result is serialized once for both the response and the log,
 * and again only if history changed it.
 */
export function writeChecks(runs: CheckRuns): WrittenChecks {
  const written = runs.map(writeCheck);
  return {
    forLog: () => `{${written.map(({ logged }) => logged).join(',')}}`,
    forAnswer: (recalled) => {
      const members = recalled.map((run, at) => {
        const before = written[at];
        return before?.run === run ? before.answered : writeCheck(run).answered;
      });
      return `{${members.join(',')}}`;
    },
  };
}

function writeCheck(run: CheckRun): WrittenCheck {
  const { pass, error, latency, metadata } = checkResult(run);
  const why = error === undefined ? undefined : jsonString(error);
  const answered = `"${run.check}":{"pass":${pass}${why === undefined ? '' : `,"error":${why}`},"latency":${latency}`;
  const logged = `"${run.check}":[${why ?? 1},${latency}`;
  if (metadata === undefined) return { run, answered: `${answered}}`, logged: `${logged}]` };
  const personalFields = PERSONAL_FIELDS[run.check];
  const all = JSON.stringify(metadata);
  const impersonal = personalFields.length === 0 ? all : JSON.stringify(without(metadata, personalFields));
  return { run, answered: `${answered},"metadata":${all}}`, logged: `${logged},${impersonal}]` };
}

function without(
  metadata: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Readonly<Record<string, unknown>> {
  const rest = { ...metadata };
  for (const field of fields) rest[field] = undefined;
  return rest;
}

/** A result in the log: an array, which is shorter than the object. 1 stands for “passed”. */
type LoggedCheck = readonly [error: string | 1, latency: number, metadata?: CheckResult['metadata']];

/** The results in a log row. */
export function readLoggedChecks(json: string): Partial<Record<CheckName, CheckResult>> {
  const results = Object.entries(JSON.parse(json) as Partial<Record<CheckName, LoggedCheck>>);
  return Object.fromEntries(results.map(([check, result]) => [check, fromLog(result)]));
}

function fromLog([error, latency, metadata]: LoggedCheck): CheckResult {
  const result = error === 1 ? { pass: true, latency } : { pass: false, error, latency };
  return metadata === undefined ? result : { ...result, metadata };
}

/** The metadata fields of each check that can name a person. */
const PERSONAL_FIELDS = Object.fromEntries(
  CHECK_NAMES.map((check) => [check, personalFieldsOf(check)]),
) as Readonly<Record<CheckName, readonly string[]>>;

function personalFieldsOf(check: CheckName): readonly string[] {
  return Object.entries(CHECK_METADATA[check]).flatMap(([name, field]) =>
    'personal' in field && field.personal ? [name] : [],
  );
}
