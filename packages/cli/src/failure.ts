import { CommanderError } from 'commander';

/** 0: done. 1: failed. 2: wrong usage, or `apply --dry-run` found differences. */
export type ExitCode = 0 | 1 | 2;

/** The user can fix it: a bad option or a missing file. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** `apply --dry-run` found differences, and has printed them. */
export class DifferencesFound extends Error {
  override readonly name = 'DifferencesFound';
}

/** The command failed for a reason that its message explains, so no stack is printed. */
export class ExpectedError extends Error {
  override readonly name = 'ExpectedError';
}

// Errors are recognised by name, because a command imports the service’s classes only when it needs them.
const USAGE_ERRORS = new Set(['InvalidInput', 'UsageError', 'ConfigError', 'NotEmbedded']);
const EXPECTED_ERRORS = new Set([
  'NotFound',
  'StoreConflict',
  'StoreUnavailable',
  'SchemaMismatch',
  'ExpectedError',
  'ConfigurationFault',
]);

/** For readers of a user’s file, which throw a plain `Error` for what is wrong in it: only the message is printed. */
export async function withoutStack<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === 'Error')
      throw new ExpectedError(error.message, { cause: error });
    throw error;
  }
}

export interface Failure {
  readonly exitCode: ExitCode;
  /** `undefined` if it was already printed. */
  readonly message: string | undefined;
}

/** How the process ends, and what it prints, after a command threw `error`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? 0 : 2, message: undefined };
  }
  if (error instanceof DifferencesFound) return { exitCode: 2, message: undefined };
  if (!(error instanceof Error)) return { exitCode: 1, message: String(error) };
  if (USAGE_ERRORS.has(error.name)) return { exitCode: 2, message: error.message };
  if (error.name === 'StoreUnavailable' && 'code' in error)
    return { exitCode: 1, message: `${error.message} (${error.code})` };
  // An error with a cause has a message for people. The stack of any other error helps to find the fault.
  if (EXPECTED_ERRORS.has(error.name) || error.cause !== undefined)
    return { exitCode: 1, message: error.message };
  return { exitCode: 1, message: error.stack ?? error.message };
}
