import { CHECK_METADATA, type CheckActions, type CheckName, type Recommendation } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import { type CheckRuns, type Checks, recallChecks } from '../checks/run-checks.ts';
import { checkResults, roundMs } from '../decision/check-results.ts';
import { recommend } from '../decision/decide.ts';
import type { History } from '../model/history.ts';
import { maskIp } from '../model/ip-address.ts';
import type { LogRecord } from '../store/store.ts';
import { maskAddress } from './mask-address.ts';

export interface LogFacts {
  readonly requestId: string;
  readonly sdkVersion: string | undefined;
  readonly input: CheckInput;
  readonly runs: CheckRuns;
  readonly checks: Checks;
  readonly actions: CheckActions;
  readonly latencyMs: number;
}

const MAX_SDK_VERSION_LENGTH = 64;

/** What the log keeps of a validation, made before history is known: the store picks the outcome that applies. */
export function logRecord(facts: LogFacts): LogRecord {
  const { input, runs, actions } = facts;
  const failed: CheckName[] = [];
  const signals: string[] = [];
  for (const [name, run] of runs) {
    if (run.finding.outcome === 'failed') failed.push(name);
    if (run.finding.signals !== undefined) signals.push(...run.finding.signals);
  }
  return {
    requestId: facts.requestId,
    maskedAddress: maskAddress(input.address),
    domain: input.address.asciiDomain,
    maskedIp: input.ip === undefined ? null : maskIp(input.ip),
    sdkVersion: facts.sdkVersion?.slice(0, MAX_SDK_VERSION_LENGTH) ?? null,
    actions,
    failed,
    signals,
    checksJson: JSON.stringify(checkResults(runs), withoutPersonal),
    outcomes: outcomes(facts),
    latencyMs: roundMs(facts.latencyMs),
  };
}

const PERSONAL_FIELDS: ReadonlySet<string> = new Set(
  Object.values(CHECK_METADATA).flatMap((fields) =>
    Object.entries(fields)
      .filter(([, field]) => 'personal' in field && field.personal)
      .map(([name]) => name),
  ),
);

function withoutPersonal(field: string, value: unknown): unknown {
  return PERSONAL_FIELDS.has(field) ? undefined : value;
}

/** Everything that history can say, in the order of `LogRecord.outcomes`. */
const HISTORIES: readonly History[] = [
  { device: history(false), inboxReused: false },
  { device: history(false), inboxReused: true },
  { device: history(true), inboxReused: false },
  { device: history(true), inboxReused: true },
];

function history(overThreshold: boolean): NonNullable<History['device']> {
  return {
    previousSignups: 0,
    otherAddresses: 0,
    networks: 0,
    overThreshold,
    common: false,
    firstSeen: null,
    lastSeen: null,
  };
}

function outcomes({ checks, runs, input, actions }: LogFacts): LogRecord['outcomes'] {
  const under = (at: number): Recommendation =>
    recommend(recallChecks(checks, runs, input, HISTORIES[at] as History), actions);
  const plain = under(0);
  const remembers = runs.has('alias') || runs.has('device');
  return remembers ? [plain, under(1), under(2), under(3)] : [plain, plain, plain, plain];
}
