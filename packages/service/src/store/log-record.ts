import { ACTIONS, type CheckActions, type CheckName, type Recommendation } from '@postern/contract';
import { type History, historyState } from '../model/history.ts';
import { jsonString, jsonValue } from '../model/json-text.ts';
import { type Row, text } from './database.ts';
import { countedMarks } from './statistics/statistics-words.ts';
import type { HistoryEffect, LogRecord, LogRow, Submission, ValidationRecord } from './store.ts';
import { timeOfId } from './timed-id.ts';

/**
 * How a validation is stored. `marks` are the words that a page can be filtered by, each between spaces. What history
 * adds to them is appended in the transaction that reads the history. `facts` is JSON with what the marks do not have,
 * and a few of them that SQL can find there more easily.
 */
interface Facts {
  readonly requestId: string;
  readonly keyType: 'client' | 'server';
  readonly maskedAddress: string;
  readonly domain: string;
  readonly maskedIp: string | null;
  /** Absent in rows of earlier versions, and for names without a shape. */
  readonly shape?: string;
  readonly sdkVersion: string | null;
  readonly inbox: string;
  readonly actions: CheckActions;
  readonly latencyMs: number;
  /** Only in rows of earlier versions, whose marks do not name the key. */
  readonly keyId?: string;
}

/** This cannot occur inside a text of the facts, because a quote there is escaped. */
const CHECKS = ',"checks":';

/** Written by hand because every request writes it. */
export function factsOf({ keyType }: Submission, { log, inboxHash }: ValidationRecord): string {
  const who = `"requestId":${jsonString(log.requestId)},"keyType":"${keyType}"`;
  const what = `"maskedAddress":${jsonString(log.maskedAddress)},"domain":${jsonString(log.domain)},${shapeText(log)}"maskedIp":${jsonValue(log.maskedIp)},"sdkVersion":${jsonValue(log.sdkVersion)},"inbox":"${inboxHash}"`;
  const found = `"actions":${actionsText(log.actions)},"latencyMs":${log.latencyMs}`;
  return `{${who},${what},${found}${CHECKS}${log.checksJson}}`;
}

/** A shape has letters, digits and `._-` only, so it needs no escaping. */
function shapeText({ shape }: LogRecord): string {
  return shape === undefined ? '' : `"shape":"${shape}",`;
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
  let marks = ` mode:${submission.mode} inbox:${inboxHash} `;
  if (device) marks += `device:${device.deviceHash} `;
  return marks + countedMarks(submission.keyId, log) + resultMarks(log);
}

function resultMarks({ failed, signals }: HistoryEffect): string {
  let marks = '';
  for (const check of failed) marks += `check:${check} `;
  for (const signal of signals) marks += `signal:${signal} `;
  return marks;
}

const marksOfEffects = new WeakMap<LogRecord['effects'], readonly string[]>();

/** The marks that each of `HISTORY_FACTS` adds if it is true. Most requests share their effects with others. */
export function effectMarks({ effects }: LogRecord): readonly string[] {
  let marks = marksOfEffects.get(effects);
  if (marks === undefined) {
    marks = effects.map(resultMarks);
    marksOfEffects.set(effects, marks);
  }
  return marks;
}

/** What history adds to the marks. The PostgreSQL function `postern_keep_wave_2` does the same in SQL. */
export function historyMarks(effects: readonly string[], history: History): string {
  const state = historyState(history);
  let marks = '';
  for (let fact = 0; state >> fact > 0; fact += 1) if ((state >> fact) & 1) marks += effects[fact] ?? '';
  return marks.includes('<N>') ? marks.replaceAll('<N>', `${history.device?.previousSignups ?? 0}`) : marks;
}

export function recommendationOf(outcomes: string, history: History): Recommendation {
  return ACTIONS[Number(outcomes[historyState(history)])] ?? 'allow';
}

/** History in its stored form: an array, which is shorter than the object. */
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
      // Rows of earlier versions have no ninth number.
      blockedAttempts?: number,
    ];

export function unpackHistory(packed: PackedHistory): History {
  if (packed.length === 1) return { device: null, inboxReused: packed[0] === 1 };
  const [reused, previousSignups, otherAddresses, networks, over, common, firstSeen, lastSeen, blocked] =
    packed;
  return {
    device: {
      previousSignups,
      otherAddresses,
      blockedAttempts: blocked ?? 0,
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
    device.blockedAttempts,
  ];
}

export function toLogRow(row: Row): LogRow {
  // The checks’ results come last and stay JSON: most readers do not need them.
  const kept = text(row, 'facts');
  const checksAt = kept.indexOf(CHECKS);
  const facts = JSON.parse(`${kept.slice(0, checksAt)}}`) as Facts;
  const history = unpackHistory(JSON.parse(text(row, 'history')) as PackedHistory);
  const marks = text(row, 'marks').split(' ');
  return {
    id: text(row, 'id'),
    projectId: text(row, 'project_id'),
    at: timeOfId(text(row, 'id')),
    requestId: facts.requestId,
    keyId: facts.keyId ?? marked(marks, 'key:')[0] ?? '',
    keyType: facts.keyType,
    mode: marks.includes('mode:test') ? 'test' : 'live',
    maskedAddress: facts.maskedAddress,
    domain: facts.domain,
    maskedIp: facts.maskedIp,
    shape: facts.shape ?? null,
    sdkVersion: facts.sdkVersion,
    inboxHash: facts.inbox,
    deviceHash: marked(marks, 'device:')[0] ?? null,
    recommendation: text(row, 'recommendation') as LogRow['recommendation'],
    actions: facts.actions,
    failed: marked(marks, 'check:') as CheckName[],
    signals: marked(marks, 'signal:'),
    checksJson: kept.slice(checksAt + CHECKS.length, -1),
    latencyMs: facts.latencyMs,
    history,
  };
}

/** The words behind that prefix, each once. */
function marked(marks: readonly string[], prefix: string): string[] {
  const words = marks.filter((mark) => mark.startsWith(prefix)).map((mark) => mark.slice(prefix.length));
  return [...new Set(words)];
}
