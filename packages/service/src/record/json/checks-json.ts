import { CHECK_METADATA, CHECK_NAMES, type CheckName } from '@postern/contract';
import type { CheckRun, CheckRuns } from '../../checks/run-checks.ts';
import { checkResult } from '../../decision/check-results.ts';
import { jsonString, jsonValue } from '../../model/json-text.ts';

/** The checks’ results as JSON. */
export interface WrittenChecks {
  /** Without the fields that can name a person. */
  readonly forLog: () => string;
  /** As the caller receives them. `recalled` are the runs after the project’s history was added. */
  readonly forAnswer: (recalled: CheckRuns) => string;
}

/** One result as an object member, with and without the fields that can name a person. */
interface WrittenCheck {
  readonly run: CheckRun;
  readonly whole: string;
  readonly impersonal: string;
}

/**
 * Serializing is most of the cost of a response, so each result is serialized once for both the response and the log,
 * and again only if history changed it.
 */
export function writeChecks(runs: CheckRuns): WrittenChecks {
  const written = runs.map(writeCheck);
  return {
    forLog: () => `{${written.map(({ impersonal }) => impersonal).join(',')}}`,
    forAnswer: (recalled) => {
      const members = recalled.map((run, at) => {
        const before = written[at];
        return before?.run === run ? before.whole : writeCheck(run).whole;
      });
      return `{${members.join(',')}}`;
    },
  };
}

function writeCheck(run: CheckRun): WrittenCheck {
  const { pass, error, latency, metadata } = checkResult(run);
  const because = error === undefined ? '' : `,"error":${jsonString(error)}`;
  const head = `"${run.check}":{"pass":${pass}${because},"latency":${latency}`;
  if (metadata === undefined) return { run, whole: `${head}}`, impersonal: `${head}}` };
  const personalFields = PERSONAL_FIELDS[run.check];
  let personal = '';
  let rest = '';
  for (const field in metadata) {
    const value = metadata[field];
    if (value === undefined) continue;
    const member = `"${field}":${jsonValue(value)}`;
    if (personalFields.includes(field)) personal = joined(personal, member);
    else rest = joined(rest, member);
  }
  const impersonal = `${head},"metadata":{${rest}}}`;
  const whole = personal === '' ? impersonal : `${head},"metadata":{${joined(personal, rest)}}}`;
  return { run, whole, impersonal };
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

function joined(members: string, more: string): string {
  if (members === '') return more;
  return more === '' ? members : `${members},${more}`;
}
