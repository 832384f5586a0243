import type { StepUpKind } from '../challenges.ts';
import type { CheckActions, CheckName, Recommendation } from '../checks.ts';
import type { KeyType } from '../keys.ts';
import type { CrowdThing } from '../rules.ts';
import type { CheckResult } from '../validate-response.ts';

export interface ValidationPage {
  rows: ValidationRow[];
  next: string | null;
  /** When it was read, by the service’s clock. */
  at: number;
}
export interface ValidationRow {
  id: string;
  at: number;
  requestId: string;
  keyType: KeyType;
  mode: 'live' | 'test';
  maskedAddress: string;
  domain: string;
  /** Many unrelated people share the domain, as they do gmail.com: it rarely belongs on a list. */
  mailProvider: boolean;
  maskedIp: string | null;
  sdkVersion: string | null;
  device: string | null;
  inbox: string;
  recommendation: Recommendation;
  /** What the flag asked of the person. Only rows of the log say it. */
  stepUp: RowStepUp | null;
  failed: CheckName[];
  signals: string[];
  /** IDs of the live rules that matched, and of the shadow rules, which only count. */
  rules: string[];
  shadowRules: string[];
  /** The list that decided with the kind of its entry, such as `block:domain`. */
  lists: string[];
  /** Where the address is, the number of its network and who operates it, as far as the IP check knew. */
  country: string | null;
  asn: number | null;
  operator: string | null;
  /** How many other inboxes the device had brought; `null` without a device. */
  deviceInboxes: number | null;
  /** What is known of the person by now. Only rows of the log say it. */
  outcome: 'good' | 'bad' | null;
  /** Until the last check ended. Counting and logging come later and are not included. */
  latencyMs: number;
}
export interface RowStepUp {
  kind: StepUpKind;
  /** `failed`: no try is left. `gave_up`: no time. */
  result: 'open' | 'passed' | 'failed' | 'gave_up';
}
/** What the log can show of a row, in the order of the table, and which columns of the CSV file have it. */
export const LOG_COLUMNS = {
  address: ['address', 'domain'],
  answer: ['recommendation', 'stepUp'],
  why: ['failed', 'signals'],
  rules: ['rules'],
  country: ['country'],
  operator: ['asn', 'operator'],
  network: ['network'],
  devices: ['device', 'deviceInboxes'],
  outcome: ['outcome'],
  checkTime: ['latencyMs'],
  request: ['request'],
  when: ['time'],
} as const;
export type LogColumn = keyof typeof LOG_COLUMNS;

/** How many rows of the log match, and when they were. */
export interface LogSummaryView {
  total: number;
  /** Only rows since then were counted, because the log is long; `null`: all. */
  since: number | null;
  /** The length of a bucket. */
  stepMs: number;
  /** Without gaps, oldest first. */
  buckets: { at: number; allow: number; flag: number; block: number }[];
}

export interface ValidationDetail extends ValidationRow {
  actions: CheckActions;
  checks: Partial<Record<CheckName, CheckResult>>;
  /** The latest `good` or `bad` about the person. */
  judgement: PersonJudgement | null;
  /** Other people who first came with the same thing within 30 days, at most 200 of each. */
  shared: SharedThing[];
}

export interface SharedThing {
  thing: CrowdThing;
  people: number;
  /** How many of them are known to be good, and how many bad. */
  good: number;
  bad: number;
}

export interface PersonJudgement {
  outcome: 'good' | 'bad';
  reason: string | null;
  at: number;
}

export interface JudgementsRecorded {
  /** How many people are now known to be good, and how many bad. */
  good: number;
  bad: number;
  /** Send this to take it back. It changes no person about whom something newer was reported. */
  undo: JudgementUndo[];
}
export interface JudgementUndo {
  inbox: string;
  judgement: PersonJudgement;
  previous: PersonJudgement | null;
  /** The validations that were decided. They wait in the review queue again. */
  validations: string[];
}
export interface JudgementsUndone {
  /** For how many people it was taken back. */
  undone: number;
}
