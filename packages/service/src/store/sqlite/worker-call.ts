import type { Row, Statement } from '../database.ts';
import type { SettlementMessage } from '../submission-message.ts';
import type { PackedSubmissions } from './packed-submissions.ts';

/** What the worker thread can be asked, and what it answers to each. */
export interface WorkerCalls {
  readonly settle: { readonly ask: PackedSubmissions; readonly answer: SettlementMessage[] };
  readonly findKey: { readonly ask: string; readonly answer: Row | null };
  /** One statement, in whatever transaction is open. */
  readonly run: { readonly ask: Statement; readonly answer: Row[] };
  /** The next rows of a long selection; it begins with its SQL and goes on with `null`. */
  readonly fetch: { readonly ask: { sql: string | null; limit: number }; readonly answer: Row[] };
  readonly write: { readonly ask: readonly Statement[]; readonly answer: Row[][] };
  /** Drops what devices brought before the cutoff, of each a bounded number. */
  readonly forget: {
    readonly ask: { project: string; devices: readonly string[]; cutoff: number; limit: number };
    readonly answer: number;
  };
  readonly close: { readonly ask: null; readonly answer: null };
}

export type CallName = keyof WorkerCalls;

export type Call = {
  readonly [Name in CallName]: readonly [id: number, name: Name, ask: WorkerCalls[Name]['ask']];
}[CallName];

export type Answer =
  | readonly [id: number, answer: WorkerCalls[CallName]['answer']]
  | readonly [id: number, answer: null, failure: Failure];

/** An error that crossed the thread’s border. */
export interface Failure {
  readonly unavailable: boolean;
  readonly message: string;
}

export interface WorkerSettings {
  readonly file: string;
  readonly access: 'read' | 'write';
  readonly migrate: boolean;
}

/** The first message of the thread, when the database is open or will not open. */
export type Opening = { readonly opened: true } | { readonly opened: false; readonly failure: Failure };
