import type { Challenge } from './challenges.ts';
import type { CheckName, Recommendation } from './checks.ts';
import type { Signal } from './signals.ts';

export interface CheckResult {
  pass: boolean;
  /** Why the check failed; absent when it passed. */
  error?: string;
  /** Milliseconds, with fractions. */
  latency: number;
  /** See CHECK_METADATA for the fields of each check. */
  metadata?: Record<string, unknown>;
}

export interface ResponseMetadata {
  fingerprintHash: string | null;
  previousSignups: number;
  totalLatency: number;
}

/** The body of a 200. */
export interface ValidateResponse {
  checks: Partial<Record<CheckName, CheckResult>>;
  metadata: ResponseMetadata;
  message: string | null;
  recommendation: Recommendation;
  signals: Signal[];
  /** Only of a flag, if the project asks the person for something. */
  challenge?: Challenge;
}
