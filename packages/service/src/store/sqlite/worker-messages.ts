import type { Row, Statement } from '../database.ts';
import type { CompactionStep } from '../store.ts';
import type { SettlementMessage, SubmissionMessage } from '../submission-message.ts';

/** The calls of the worker thread and their answers. */
export interface WorkerCalls {
  readonly settle: { readonly ask: PackedSubmissions; readonly answer: SettlementMessage[] };
  readonly findKey: { readonly ask: string; readonly answer: Row | null };
  /** One statement, in the open transaction if there is one. */
  readonly run: { readonly ask: Statement; readonly answer: Row[] };
  /** The next rows of a long query. The first call passes the SQL, the following ones `null`. */
  readonly fetch: { readonly ask: { sql: string | null; limit: number }; readonly answer: Row[] };
  readonly write: { readonly ask: readonly Statement[]; readonly answer: Row[][] };
  /** Drops the devices’ entries that were last seen before the cutoff. */
  readonly forget: {
    readonly ask: { project: string; devices: readonly string[]; cutoff: number };
    readonly answer: number;
  };
  /** Merges pending changes, or takes a domain out of the statistics if one is given. */
  readonly statistics: {
    readonly ask: { project: string; forgetDomain: string | null };
    readonly answer: number;
  };
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
  /** Of StoreUnavailable. */
  readonly code?: string;
}

export interface WorkerSettings {
  readonly file: string;
  readonly access: 'read' | 'write';
  readonly migrate: boolean;
  /** How long a write waits for other processes; for commands, which can wait longer than requests. */
  readonly lockTimeoutMs?: number | undefined;
}

/** The thread’s first message, when the database is open or cannot be opened. */
export type Opening = { readonly opened: true } | { readonly opened: false; readonly failure: Failure };

/**
 * Submissions for the thread. Two strings are transferred faster than the objects in them. The long ones are kept apart
 * and found by their lengths, so that they are not escaped a second time.
 */
export interface PackedSubmissions {
  readonly count: number;
  /** Shared with the sender, who sets a submission’s number to 1 when its deadline has passed. */
  readonly timeouts: Int32Array;
  readonly heads: string;
  readonly texts: string;
}

type Head = ReturnType<typeof headOf>;

export function packSubmissions(
  submissions: readonly SubmissionMessage[],
  timeouts: Int32Array,
): PackedSubmissions {
  let texts = '';
  const heads = submissions.map((submission) => {
    const { validation } = submission;
    if (validation) texts += validation.words + validation.details;
    return headOf(submission);
  });
  return { count: submissions.length, timeouts, heads: JSON.stringify(heads), texts };
}

export function unpackSubmissions({ heads, texts }: PackedSubmissions): SubmissionMessage[] {
  let at = 0;
  const nextText = (length: number): string => {
    at += length;
    return texts.slice(at - length, at);
  };
  return (JSON.parse(heads) as Head[]).map((head) => submissionOf(head, nextText));
}

function headOf(submission: SubmissionMessage) {
  const { validation } = submission;
  return [
    submission.project,
    submission.key,
    submission.projectVersion,
    submission.keyVersion,
    submission.lane,
    submission.live,
    submission.now,
    submission.rateLimit,
    submission.countRate,
    submission.quotaLimit,
    submission.month,
    validation &&
      ([
        validation.inbox,
        validation.spelling,
        validation.device,
        validation.network,
        validation.threshold,
        validation.commonNetworks,
        validation.retentionMs,
        validation.recommendations,
        validation.rules,
        validation.lists,
        validation.effects,
        validation.log,
        validation.words.length,
        validation.details.length,
        validation.isClaim,
        validation.claimNetwork,
        validation.confirmedOnly,
        validation.mistyped,
        validation.flagClaims,
      ] as const),
    submission.visitors,
  ] as const;
}

function submissionOf(head: Head, nextText: (length: number) => string): SubmissionMessage {
  const validation = head[11];
  return {
    project: head[0],
    key: head[1],
    projectVersion: head[2],
    keyVersion: head[3],
    lane: head[4],
    live: head[5],
    now: head[6],
    rateLimit: head[7],
    countRate: head[8],
    quotaLimit: head[9],
    month: head[10],
    validation: validation && {
      inbox: validation[0],
      spelling: validation[1],
      isClaim: validation[14],
      claimNetwork: validation[15],
      confirmedOnly: validation[16],
      device: validation[2],
      network: validation[3],
      threshold: validation[4],
      commonNetworks: validation[5],
      flagClaims: validation[18],
      mistyped: validation[17],
      retentionMs: validation[6],
      recommendations: validation[7],
      rules: validation[8],
      lists: validation[9],
      effects: validation[10],
      log: validation[11],
      words: nextText(validation[12]),
      details: nextText(validation[13]),
    },
    visitors: head[12],
    claim: null,
  };
}
