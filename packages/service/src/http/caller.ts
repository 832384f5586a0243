import type { Caller } from '../admission/caller.ts';
import type { Incoming } from './exchange.ts';

/** Who asks, as far as the headers tell. */
export function callerOf({ header }: Incoming): Caller {
  return {
    authorization: header('authorization'),
    projectId: header('x-project-id'),
    origin: header('origin'),
    referer: header('referer'),
    userAgent: header('user-agent'),
  };
}
