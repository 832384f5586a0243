import { CommanderError } from 'commander';

/** 0: done. 1: it could not be done. 2: it was asked for in the wrong way. */
export type ExitCode = 0 | 1 | 2;

/** The person’s to mend: a bad option, a file that is not there. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

const USAGE = new Set(['InvalidInput', 'UsageFault', 'ConfigError', 'NotEmbedded']);
const EXPECTED = new Set(['NotFound', 'StoreConflict', 'StoreUnavailable', 'SchemaMismatch', 'Fault']);

/** It could not be done, for a reason that one line explains. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/** The store words what is wrong with a person’s file as plain errors; they need no stack. */
export async function toldPlainly<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === 'Error') throw new Fault(error.message, { cause: error });
    throw error;
  }
}

export interface Failure {
  readonly exitCode: ExitCode;
  /** `undefined`: already told. */
  readonly message: string | undefined;
}

/** Errors are told apart by name: a command loads the service’s classes only when it needs them. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? 0 : 2, message: undefined };
  }
  if (!(error instanceof Error)) return { exitCode: 1, message: String(error) };
  if (USAGE.has(error.name)) return { exitCode: 2, message: error.message };
  // An error that names its cause was worded for people where it was caught.
  if (EXPECTED.has(error.name) || error.cause !== undefined) return { exitCode: 1, message: error.message };
  return { exitCode: 1, message: error.stack ?? error.message };
}
