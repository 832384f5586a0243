import type { ResponseMetadata, ValidateResponse } from '@postern/contract';
import { jsonString, jsonStrings, jsonValue } from '../../model/json-text.ts';

/** What a 200 says. The checks’ results are JSON already. */
export interface AnswerFacts
  extends ResponseMetadata,
    Pick<ValidateResponse, 'message' | 'recommendation' | 'signals'> {
  readonly checks: string;
}

/** The body of a 200, a `ValidateResponse`. Written by hand because every request writes it. */
export function writeAnswer(facts: AnswerFacts): string {
  const { fingerprintHash, previousSignups, totalLatency } = facts;
  const metadata = `{"fingerprintHash":${jsonValue(fingerprintHash)},"previousSignups":${previousSignups},"totalLatency":${totalLatency}}`;
  const advice = `"message":${jsonValue(facts.message)},"recommendation":${jsonString(facts.recommendation)},"signals":${jsonStrings(facts.signals)}`;
  return `{"checks":${facts.checks},"metadata":${metadata},${advice}}`;
}
