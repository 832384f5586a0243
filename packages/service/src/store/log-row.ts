import type { CheckName, Recommendation, StepUpKind } from '@postern/contract';
import { ruleSignal } from '@postern/contract/rules';
import type { KeyMode } from '../model/api-key.ts';
import type { History } from '../model/history.ts';
import { integer, integerOrNull, json, text, textOrNull } from './columns.ts';
import type { Row } from './database.ts';
import { type ReadWords, wordsReader } from './log-words.ts';
import { type LogDetails, readDetails } from './settle/logged-row.ts';
import type { LogRecord } from './submission.ts';

/** A validation as the log gives it back. */
export interface LogRow
  extends LogDetails,
    Omit<ReadWords, 'failed'>,
    Pick<LogRecord, 'requestId' | 'domain' | 'maskedIp' | 'country' | 'asn' | 'shape' | 'checksJson'> {
  readonly id: string;
  readonly projectId: string;
  readonly at: number;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly inboxHash: string;
  readonly deviceHash: string | null;
  readonly recommendation: Recommendation;
  /** What a flagged person did to be allowed after all. */
  readonly steppedUp: StepUpKind | null;
  readonly failed: readonly CheckName[];
  readonly history: History;
}

export function toLogRow(row: Row): LogRow {
  const { failed, signals } = readWords(text(row, 'words'));
  const { rules, shadowRules } = readWords(text(row, 'rules'));
  return {
    id: text(row, 'id'),
    projectId: text(row, 'project_id'),
    at: integer(row, 'at'),
    requestId: text(row, 'request_id'),
    keyId: text(row, 'key_id'),
    mode: text(row, 'mode') as KeyMode,
    domain: text(row, 'domain'),
    maskedIp: textOrNull(row, 'network'),
    country: textOrNull(row, 'country'),
    asn: integerOrNull(row, 'asn'),
    shape: textOrNull(row, 'shape'),
    inboxHash: text(row, 'inbox'),
    deviceHash: textOrNull(row, 'device'),
    recommendation: text(row, 'recommendation') as Recommendation,
    steppedUp: textOrNull(row, 'stepped_up'),
    failed: failed as CheckName[],
    signals: [...signals, ...rules.map(ruleSignal)],
    rules,
    shadowRules,
    lists: readWords(text(row, 'lists')).lists,
    history: json<History>(row, 'history'),
    checksJson: text(row, 'checks'),
    ...readDetails(text(row, 'details')),
  };
}

const readWords = wordsReader();

/**
 * For the few rows of one request. If they were ordered by `id` itself, the database would read the whole log in that order
 * instead of using the index of requests.
 */
export const NEWEST_FIRST = "ORDER BY id || '' DESC";
