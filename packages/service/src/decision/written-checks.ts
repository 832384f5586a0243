import { CHECK_METADATA, CHECK_NAMES, type CheckName } from '@postern/contract';
import type { CheckRun, CheckRuns } from '../checks/run-checks.ts';
import { jsonString, jsonValue } from '../model/json-text.ts';
import { checkResult } from './check-results.ts';

/** The checks’ results as JSON. */
export interface WrittenChecks {
  /** Without the fields that can name a person. */
  readonly forLog: () => string;
  /** As the caller gets them; `recalled` is what became of the runs when the project’s memory spoke. */
  readonly forAnswer: (recalled: CheckRuns) => string;
}

/** One result as a member of an object, with and without what can name a person. */
interface WrittenCheck {
  readonly run: CheckRun;
  readonly whole: string;
  readonly impersonal: string;
}

/**
 * Writing is most of what an answer costs, so each result is written once for the answer and the log together, and
 * again only where memory changed it.
 */
export function writeChecks(runs: CheckRuns): WrittenChecks {
  const written = new Map<CheckName, WrittenCheck>();
  for (const [name, run] of runs) written.set(name, writeCheck(name, run));
  return {
    forLog: () => {
      let members = '';
      for (const { impersonal } of written.values())
        members += members === '' ? impersonal : `,${impersonal}`;
      return `{${members}}`;
    },
    forAnswer: (recalled) => {
      let members = '';
      for (const [name, run] of recalled) {
        const before = written.get(name);
        const { whole } = before?.run === run ? before : writeCheck(name, run);
        members += members === '' ? whole : `,${whole}`;
      }
      return `{${members}}`;
    },
  };
}

/** The metadata fields of each check that can name a person. */
const PERSONAL_FIELDS: ReadonlyMap<CheckName, ReadonlySet<string>> = new Map(
  CHECK_NAMES.map((check) => [
    check,
    new Set(
      Object.entries(CHECK_METADATA[check]).flatMap(([name, field]) =>
        'personal' in field && field.personal ? [name] : [],
      ),
    ),
  ]),
);

function writeCheck(name: CheckName, run: CheckRun): WrittenCheck {
  const { pass, error, latency, metadata } = checkResult(run);
  const because = error === undefined ? '' : `,"error":${jsonString(error)}`;
  const head = `"${name}":{"pass":${pass}${because},"latency":${latency}`;
  if (metadata === undefined) return { run, whole: `${head}}`, impersonal: `${head}}` };
  const personal = PERSONAL_FIELDS.get(name);
  let whole = `${head},"metadata":{`;
  let impersonal = whole;
  let first = true;
  let firstKept = true;
  for (const field in metadata) {
    const value = metadata[field];
    if (value === undefined) continue;
    const { alone, following } = memberName(field);
    const text = jsonValue(value);
    whole += (first ? alone : following) + text;
    first = false;
    if (personal?.has(field)) continue;
    impersonal += (firstKept ? alone : following) + text;
    firstKept = false;
  }
  return { run, whole: `${whole}}}`, impersonal: `${impersonal}}}` };
}

interface MemberName {
  readonly alone: string;
  readonly following: string;
}

const memberNames = new Map<string, MemberName>();

/** A field’s name as JSON has it. There are few, and to put them together each time would cost more than the values. */
function memberName(field: string): MemberName {
  let name = memberNames.get(field);
  if (name === undefined) {
    name = { alone: `"${field}":`, following: `,"${field}":` };
    memberNames.set(field, name);
  }
  return name;
}
