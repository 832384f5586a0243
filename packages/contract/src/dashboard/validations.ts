import type { CheckActions, CheckName, Recommendation } from '../checks.ts';
import type { KeyType } from '../validate-request.ts';
import type { CheckResult } from '../validate-response.ts';

/** GET /projects/:id/validations?recommendation=&check=&signal=&domain=&device=&inbox=&mode=&from=&to=&cursor=&limit= */
export interface ValidationPage {
  rows: ValidationRow[];
  next: string | null;
}
export interface ValidationRow {
  id: string;
  at: number;
  requestId: string;
  keyType: KeyType;
  mode: 'live' | 'test';
  maskedAddress: string;
  domain: string;
  maskedIp: string | null;
  sdkVersion: string | null;
  device: string | null;
  inbox: string;
  recommendation: Recommendation;
  failed: CheckName[];
  signals: string[];
  /** Until every check had its finding; the row is written with the counting, so that time is not in it. */
  latencyMs: number;
}
/** GET /projects/:id/validations/:validationId; GET …/validations.csv with the same filters exports. */
export interface ValidationDetail extends ValidationRow {
  actions: CheckActions;
  checks: Partial<Record<CheckName, CheckResult>>;
  history: {
    previousSignups: number;
    otherAddresses: number;
    networks: number;
    inboxReused: boolean;
  };
}
