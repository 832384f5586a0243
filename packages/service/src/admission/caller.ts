import type { KeyMode } from '../model/api-key.ts';

/** A hook that has proved itself. `test`: its call is logged as a test and counts nothing. */
export interface HookCaller {
  readonly hookId: string;
  readonly mode: KeyMode;
}

/** What a request’s headers say about its sender, as plain strings: the gates know no HTTP types. */
export interface Caller {
  readonly authorization: string | undefined;
  readonly projectId: string | undefined;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly userAgent: string | undefined;
}
