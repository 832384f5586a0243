import { CHECK_METADATA, CHECK_NAMES, type CheckName, type CheckResult } from '@postern/contract';
import type { CheckRun, CheckRuns } from '../../checks/run-checks.ts';
import { checkResult } from '../../decision/check-results.ts';
import { getOrMake } from '../../model/get-or-make.ts';
import { jsonString, jsonValue } from '../../model/json-text.ts';

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
    forLog() {
      let members = '';
      for (const { logged } of written) members += members === '' ? logged : `,${logged}`;
      return `{${members}}`;
    },
    forAnswer(recalled) {
      let members = '';
      for (let at = 0; at < recalled.length; at += 1) {
        const run = recalled[at] as CheckRun;
        const before = written[at];
        const { answered } = before?.run === run ? before : writeCheck(run);
        members += members === '' ? answered : `,${answered}`;
      }
      return `{${members}}`;
    },
  };
}

function writeCheck(run: CheckRun): WrittenCheck {
  const { check } = run;
  const { pass, error, latency, metadata } = checkResult(run);
  const start = pass && error === undefined ? PASSED[check] : startOf(check, pass, error);
  const took = `${latency}`;
  if (metadata === undefined) {
    return { run, answered: `${start.answered}${took}}`, logged: `${start.logged}${took}]` };
  }
  const { all, impersonal } = metadataText(metadata, check);
  return {
    run,
    answered: `${start.answered}${took},"metadata":${all}}`,
    logged: `${start.logged}${took},${impersonal}]`,
  };
}

/** Both forms of a result up to its latency. */
type Start = Pick<WrittenCheck, 'answered' | 'logged'>;

function startOf(check: CheckName, pass: boolean, error: string | undefined): Start {
  const why = error === undefined ? undefined : jsonString(error);
  return {
    answered: `"${check}":{"pass":${pass}${why === undefined ? '' : `,"error":${why}`},"latency":`,
    logged: `"${check}":[${why ?? 1},`,
  };
}

/** Most results. */
const PASSED = Object.fromEntries(
  CHECK_NAMES.map((check) => [check, startOf(check, true, undefined)]),
) as Readonly<Record<CheckName, Start>>;

interface MetadataText {
  readonly all: string;
  /** Without the fields that can name a person. */
  readonly impersonal: string;
}

type Metadata = Readonly<Record<string, unknown>>;

const sharedTexts = new WeakMap<Metadata, MetadataText>();

/** Frozen metadata is shared by many requests, such as those of one domain, and written once for all of them. */
function metadataText(metadata: Metadata, check: CheckName): MetadataText {
  if (!Object.isFrozen(metadata)) return writeMetadata(metadata, PERSONAL_FIELDS[check]);
  return getOrMake(sharedTexts, metadata, () => writeMetadata(metadata, PERSONAL_FIELDS[check]));
}

function writeMetadata(metadata: Metadata, personal: readonly string[]): MetadataText {
  let all = '';
  let impersonal = '';
  for (const name in metadata) {
    const value = metadata[name];
    if (value === undefined) continue;
    const member = `"${name}":${jsonValue(value)}`;
    all += all === '' ? member : `,${member}`;
    if (!personal.includes(name)) impersonal += impersonal === '' ? member : `,${member}`;
  }
  return { all: `{${all}}`, impersonal: `{${impersonal}}` };
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
