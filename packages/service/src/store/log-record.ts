import { type CheckActions, type CheckName, deviceSeenSignal } from '@postern/contract';
import type { History } from '../model/history.ts';
import { jsonString, jsonStrings, jsonValue } from '../model/json-text.ts';
import { type Row, text } from './database.ts';
import type { LogRow, Submission, ValidationRecord } from './store.ts';
import { timeOfId } from './timed-id.ts';

/**
 * How a validation is kept. `facts` is JSON that is only shown. `marks` are the words that a page can be
 * filtered by, each between spaces; history’s own are added when history is known.
 */
interface Facts {
  readonly requestId: string;
  readonly keyId: string;
  readonly keyType: 'client' | 'server';
  readonly mode: 'live' | 'test';
  readonly maskedAddress: string;
  readonly domain: string;
  readonly maskedIp: string | null;
  readonly sdkVersion: string | null;
  readonly inbox: string;
  readonly device: string | null;
  readonly actions: CheckActions;
  readonly failed: readonly CheckName[];
  readonly signals: readonly string[];
  readonly latencyMs: number;
}

/** No text inside the facts can hold this: a quote in it would be escaped. */
const CHECKS = ',"checks":';

/** Written by hand, for it is written with every request. */
export function factsOf(submission: Submission, { log, inboxHash, device }: ValidationRecord): string {
  const { keyId, keyType, mode } = submission;
  const who = `"requestId":${jsonString(log.requestId)},"keyId":${jsonString(keyId)},"keyType":"${keyType}","mode":"${mode}"`;
  const what = `"maskedAddress":${jsonString(log.maskedAddress)},"domain":${jsonString(log.domain)},"maskedIp":${jsonValue(log.maskedIp)},"sdkVersion":${jsonValue(log.sdkVersion)},"inbox":"${inboxHash}","device":${jsonValue(device?.deviceHash ?? null)}`;
  const found = `"actions":${actionsText(log.actions)},"failed":${jsonStrings(log.failed)},"signals":${jsonStrings(log.signals)},"latencyMs":${log.latencyMs}`;
  return `{${who},${what},${found}${CHECKS}${log.checksJson}}`;
}

const actionsTexts = new WeakMap<CheckActions, string>();

/** Requests that name no checks of their own share their policy’s actions. */
function actionsText(actions: CheckActions): string {
  let text = actionsTexts.get(actions);
  if (text === undefined) {
    text = JSON.stringify(actions);
    actionsTexts.set(actions, text);
  }
  return text;
}

export function marksOf(submission: Submission, { log, inboxHash, device }: ValidationRecord): string {
  let marks = ` mode:${submission.mode} domain:${log.domain} inbox:${inboxHash} `;
  if (device) marks += `device:${device.deviceHash} `;
  for (const check of log.failed) marks += `check:${check} `;
  for (const signal of log.signals) marks += `signal:${signal} `;
  return marks;
}

/** What history adds to the marks. The PostgreSQL function `settle` does the same in SQL. */
export function historyMarks(history: History, aliasRuns: boolean, deviceRuns: boolean): string {
  const { failed, signals } = recalled(history, aliasRuns, deviceRuns);
  return [...failed.map((check) => `check:${check} `), ...signals.map((signal) => `signal:${signal} `)].join(
    '',
  );
}

/** The failures and signals that the alias and device checks draw from history, if they run. */
function recalled(history: History, aliasRuns: boolean, deviceRuns: boolean) {
  const failed: CheckName[] = [];
  const signals: string[] = [];
  if (aliasRuns && history.inboxReused) {
    failed.push('alias');
    signals.push('alias_reuse');
  }
  if (deviceRuns && history.device) {
    if (history.device.overThreshold) failed.push('device');
    if (history.device.otherAddresses > 0) signals.push('device_reuse');
    if (history.device.previousSignups >= 2) signals.push(deviceSeenSignal(history.device.previousSignups));
  }
  return { failed, signals };
}

/** History as it is kept and sent: shorter than the object by its names. */
export type PackedHistory =
  | readonly [reused: 0 | 1]
  | readonly [
      reused: 0 | 1,
      previousSignups: number,
      otherAddresses: number,
      networks: number,
      overThreshold: 0 | 1,
      common: 0 | 1,
      firstSeen: number | null,
      lastSeen: number | null,
    ];

export function unpackHistory(packed: PackedHistory): History {
  if (packed.length === 1) return { device: null, inboxReused: packed[0] === 1 };
  const [reused, previousSignups, otherAddresses, networks, over, common, firstSeen, lastSeen] = packed;
  return {
    device: {
      previousSignups,
      otherAddresses,
      networks,
      overThreshold: over === 1,
      common: common === 1,
      firstSeen,
      lastSeen,
    },
    inboxReused: reused === 1,
  };
}

export function packHistory({ device, inboxReused }: History): PackedHistory {
  const reused = inboxReused ? 1 : 0;
  if (device === null) return [reused];
  return [
    reused,
    device.previousSignups,
    device.otherAddresses,
    device.networks,
    device.overThreshold ? 1 : 0,
    device.common ? 1 : 0,
    device.firstSeen,
    device.lastSeen,
  ];
}

export function toLogRow(row: Row): LogRow {
  // The checks’ results come last and stay JSON; whoever wants them reads them.
  const kept = text(row, 'facts');
  const checksAt = kept.indexOf(CHECKS);
  const facts = JSON.parse(`${kept.slice(0, checksAt)}}`) as Facts;
  const history = unpackHistory(JSON.parse(text(row, 'history')) as PackedHistory);
  const added = recalled(history, facts.actions.alias !== undefined, facts.actions.device !== undefined);
  return {
    id: text(row, 'id'),
    projectId: text(row, 'project_id'),
    at: timeOfId(text(row, 'id')),
    requestId: facts.requestId,
    keyId: facts.keyId,
    keyType: facts.keyType,
    mode: facts.mode,
    maskedAddress: facts.maskedAddress,
    domain: facts.domain,
    maskedIp: facts.maskedIp,
    sdkVersion: facts.sdkVersion,
    inboxHash: facts.inbox,
    deviceHash: facts.device,
    recommendation: text(row, 'recommendation') as LogRow['recommendation'],
    actions: facts.actions,
    failed: union(facts.failed, added.failed),
    signals: union(facts.signals, added.signals),
    checksJson: kept.slice(checksAt + CHECKS.length, -1),
    latencyMs: facts.latencyMs,
    history,
  };
}

function union<T>(first: readonly T[], second: readonly T[]): T[] {
  return [...new Set([...first, ...second])];
}
