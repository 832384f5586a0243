import type { Challenge, ResponseMetadata, ValidateResponse } from '@postern/contract';
import { jsonString, jsonStrings, jsonValue } from '../../model/json-text.ts';

/** The content of a 200. The checks’ results are already JSON. */
export interface AnswerFacts
  extends ResponseMetadata,
    Pick<ValidateResponse, 'message' | 'recommendation' | 'signals'> {
  readonly challenge?: Challenge | undefined;
  readonly checks: string;
}

/** The body of a 200, a `ValidateResponse`. Built by hand for speed, because every request writes it. */
export function writeAnswer(facts: AnswerFacts): string {
  const { fingerprintHash, previousSignups, totalLatency } = facts;
  const metadata = `{"fingerprintHash":${jsonValue(fingerprintHash)},"previousSignups":${previousSignups},"totalLatency":${totalLatency}}`;
  const advice = `"message":${jsonValue(facts.message)},"recommendation":${jsonString(facts.recommendation)},"signals":${jsonStrings(facts.signals)}`;
  const challenge = facts.challenge === undefined ? '' : `,"challenge":${JSON.stringify(facts.challenge)}`;
  return `{"checks":${facts.checks},"metadata":${metadata},${advice}${challenge}}`;
}
