import type { CheckName, MessageName, Signal } from '@postern/contract';

type Facts = {
  readonly signals?: readonly Signal[];
  /** Fields of CHECK_METADATA for this check. A check that gives the same object to many requests freezes it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

interface CrowdFailure {
  /** Without the crowd the check would not have failed. */
  readonly alone: boolean;
  /** Client keys alone say so, and anybody can use those: it never blocks. */
  readonly flagsOnly: boolean;
}

/** Passed, failed, or could not tell. A check that did not run has no finding. */
export type Finding =
  | ({ readonly result: 'passed' } & Facts)
  /**
   * `atMost`: the policy’s action counts only up to this one. `crowd`: the person is part of a crowd, for which the policy
   * has an action of its own. `message`: what the person is told instead of the check’s usual message.
   */
  | ({
      readonly result: 'failed';
      readonly error: string;
      readonly atMost?: 'flag';
      readonly crowd?: CrowdFailure;
      readonly message?: MessageName;
    } & Facts)
  | ({ readonly result: 'unknown'; readonly reason: string } & Facts);

/** What one check found. */
export interface FoundBy {
  readonly check: CheckName;
  readonly finding: Finding;
}
