import type { CheckActions, KeyType } from '@postern/contract';
import { type FactsForRules, NO_FACTS } from '../../model/facts-for-rules.ts';
import { listWords, ruleWords, wordsOf } from '../log-words.ts';
import type { Submission, Validated, ValidationRecord } from '../submission.ts';
import type { RowOf } from '../table-of.ts';
import type { VALIDATION_LOG } from '../tables/settle-tables.ts';

/** The columns of a new row of the log. */
export type LoggedRow = Omit<RowOf<typeof VALIDATION_LOG>, 'projectId' | 'review' | 'steppedUp'>;

/** What a log row only shows. No query looks into it. */
export interface LogDetails {
  readonly keyType: KeyType;
  readonly maskedAddress: string;
  readonly sdkVersion: string | null;
  readonly actions: CheckActions;
  readonly latencyMs: number;
  readonly facts: FactsForRules;
  /** Tells the spellings of an inbox apart: the start of a keyed hash. `null` for the inbox’s own name. */
  readonly spelling: string | null;
}

/** 48 bits, which is enough among the spellings of one inbox. */
const SPELLING_LENGTH = 8;

export function loggedRow(
  { keyId, mode }: Submission,
  validation: ValidationRecord,
  { logId, history, judgement }: Validated,
): LoggedRow {
  const { log } = validation;
  return {
    id: logId,
    at: Math.floor(validation.now),
    requestId: log.requestId,
    mode,
    keyId,
    recommendation: judgement.recommendation,
    inbox: validation.inboxHash,
    device: validation.deviceHash,
    domain: log.domain,
    shape: log.shape,
    network: log.maskedIp,
    country: log.country,
    asn: log.asn,
    rules: ruleWords(judgement),
    lists: listWords(validation.listing),
    words: wordsOf(log, judgement),
    history: JSON.stringify(history),
    checks: log.checksJson,
    details: JSON.stringify(detailsOf(validation)),
  };
}

type WrittenDetails = Omit<LogDetails, 'facts' | 'spelling'> & {
  readonly facts: Partial<FactsForRules>;
  readonly spelling?: string;
};

function detailsOf({ keyType, actions, inboxHash, spellingHash, log }: ValidationRecord): WrittenDetails {
  const { maskedAddress, sdkVersion, latencyMs } = log;
  const details = {
    keyType,
    maskedAddress,
    sdkVersion,
    actions,
    latencyMs,
    facts: withoutDefaults(log.facts),
  };
  return spellingHash === inboxHash
    ? details
    : { ...details, spelling: spellingHash.slice(0, SPELLING_LENGTH) };
}

const FACT_NAMES = Object.keys(NO_FACTS) as (keyof FactsForRules)[];

/** Most facts of most requests have their neutral value, and most of the log is made of such rows. */
function withoutDefaults(facts: FactsForRules): Partial<FactsForRules> {
  const kept: Record<string, unknown> = {};
  for (const name of FACT_NAMES) if (facts[name] !== NO_FACTS[name]) kept[name] = facts[name];
  return kept;
}

export function readDetails(json: string): LogDetails {
  const { facts, spelling = null, ...details } = JSON.parse(json) as WrittenDetails;
  return { ...details, facts: { ...NO_FACTS, ...facts }, spelling };
}
