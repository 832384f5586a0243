import type { Row, Statement } from '../database.ts';
import type { CompactionStep } from '../store.ts';
import type { Settlement } from '../submission.ts';

/** The calls of the worker thread and their answers. */
export interface WorkerCalls {
  /** Submissions as JSON: one string is transferred to the other thread faster than the objects in it. */
  readonly settle: { readonly ask: { count: number; batch: string }; readonly answer: Settlement[] };
  readonly findKey: { readonly ask: string; readonly answer: Row | null };
  /** One statement, in the open transaction if there is one. */
  readonly run: { readonly ask: Statement; readonly answer: Row[] };
  /** The next rows of a long query. The first call passes the SQL, the following ones `null`. */
  readonly fetch: { readonly ask: { sql: string | null; limit: number }; readonly answer: Row[] };
  readonly write: { readonly ask: readonly Statement[]; readonly answer: Row[][] };
  /** Gives a few free pages of the file back to the disk, unless requests wait. */
  readonly compact: { readonly ask: null; readonly answer: CompactionStep };
  readonly close: { readonly ask: null; readonly answer: null };
}

export type CallName = keyof WorkerCalls;

export type Call = {
  readonly [Name in CallName]: readonly [id: number, name: Name, ask: WorkerCalls[Name]['ask']];
}[CallName];

export type Answer =
  | readonly [id: number, answer: WorkerCalls[CallName]['answer']]
  | readonly [id: number, answer: null, failure: Failure];

/** An error in a form that can be sent to the other thread. */
export interface Failure {
  readonly unavailable: boolean;
  readonly message: string;
  /** The database belongs to another release. */
  readonly mismatch?: true;
  /** Of StoreUnavailable. */
  readonly code?: string;
}

export interface WorkerSettings {
  readonly file: string;
  readonly access: 'read' | 'write';
  readonly migrate?: boolean;
  /** Most of the code is for settling requests. The thread of a reader or a command starts without it. */
  readonly settles?: boolean;
  /** How long a write waits for other processes; for commands, which can wait longer than requests. */
  readonly lockTimeoutMs?: number | undefined;
}

/** The thread’s first message, when the database is open or cannot be opened. */
export type Opening = { readonly opened: true } | { readonly opened: false; readonly failure: Failure };
