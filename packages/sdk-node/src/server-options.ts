import { CLIENT_OPTIONS, type ClientOptions, checkOptionNames, type ServerFallback } from 'postern~sdk/core';
import { CHECK_NAMES, isCheckName } from '@postern/contract';
import { CALLER_OPTIONS, type CallerOptions } from './caller.ts';
import type { Connection } from './connection.ts';
import type { OfflineListStore } from './offline-list.ts';
import type { VerdictVerifierOptions } from './verify-verdict.ts';

export interface PosternServerClientOptions
  extends Omit<ClientOptions<ServerFallback>, keyof Connection>,
    CallerOptions,
    Omit<VerdictVerifierOptions, 'baseUrl' | 'projectId' | 'fetch'> {
  /** Where the service runs. Default: the environment’s `POSTERN_URL`. */
  baseUrl?: string | undefined;
  /** Default: the environment’s `POSTERN_PROJECT_ID`. */
  projectId?: string | undefined;
  /** A server key. Default: the environment’s `POSTERN_SERVER_KEY`. */
  apiKey?: string | undefined;
  /**
   * Reports each sign-up that `evaluateSignUp` or a guard accepts as the outcome `accepted`, in batches. Default: `false`.
   * Call `flushOutcomes` before the process ends.
   */
  reportAccepted?: boolean | undefined;
  /** Keeps the list that `'offline'` uses for processes that start during an outage. Default: each process has only its own. */
  offlineListStore?: OfflineListStore | undefined;
  /** Logs how each sign-up was decided, and why a verdict was not used. Addresses are masked. Default: `false`. */
  debug?: boolean | undefined;
}

/** The options with everything that the environment gives. */
export type CompleteOptions = PosternServerClientOptions & Connection;

const SERVER_OPTIONS: Readonly<Record<keyof PosternServerClientOptions, true>> = {
  ...CLIENT_OPTIONS,
  ...CALLER_OPTIONS,
  reportAccepted: true,
  offlineListStore: true,
  debug: true,
  keys: true,
  clockSkewSeconds: true,
  allowTestMode: true,
  allowWeakened: true,
  requireChecks: true,
  replayStore: true,
  now: true,
};

/** Throws for mistakes that have nothing to do with the environment. */
export function checkServerOptions(options: PosternServerClientOptions): void {
  if (typeof options !== 'object' || options === null) throw new TypeError('Postern’s options are an object');
  checkOptionNames(options, SERVER_OPTIONS);
  // A misspelled name would refuse every sign-up.
  const unknown = options.requireChecks?.find((name) => !isCheckName(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `Postern does not know the check “${unknown}” in requireChecks; there are ${CHECK_NAMES.join(', ')}`,
  );
}
