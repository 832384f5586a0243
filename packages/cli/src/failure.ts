import { CommanderError } from 'commander';

/** 0: done. 1: failed. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** The user can fix it: a bad option or a missing file. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** `apply --dry-run` found differences, and has printed them. */
export class DifferencesFound extends Error {
  override readonly name = 'DifferencesFound';
}

const USAGE = new Set(['InvalidInput', 'UsageError', 'ConfigError', 'NotEmbedded']);
const EXPECTED = new Set([
  'NotFound',
  'StoreConflict',
  'StoreUnavailable',
  'SchemaMismatch',
  'ExpectedError',
  'ConfigurationFault',
]);

/** The command failed, with a reason that fits in one line. */
export class ExpectedError extends Error {
  override readonly name = 'ExpectedError';
}

/** Problems with a user’s file are thrown as plain errors. This shows their message without the stack. */
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

/** Errors are distinguished by name, because a command imports the service’s classes only when it needs them. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? 0 : 2, message: undefined };
  }
  if (error instanceof DifferencesFound) return { exitCode: 2, message: undefined };
  if (!(error instanceof Error)) return { exitCode: 1, message: String(error) };
  if (USAGE.has(error.name)) return { exitCode: 2, message: error.message };
  if (error.name === 'StoreUnavailable' && 'code' in error)
    return { exitCode: 1, message: `${error.message} (${error.code})` };
  // An error with a cause already has a message for people.
  if (EXPECTED.has(error.name) || error.cause !== undefined) return { exitCode: 1, message: error.message };
  return { exitCode: 1, message: error.stack ?? error.message };
}
