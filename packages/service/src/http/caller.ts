import type { Caller } from '../admission/caller.ts';
import type { HttpRequest } from './http-message.ts';

/** Who asks, as far as the headers tell. */
export function callerOf({ header }: HttpRequest): Caller {
  return {
    authorization: header('authorization'),
    projectId: header('x-project-id'),
    origin: header('origin'),
    referer: header('referer'),
    userAgent: header('user-agent'),
  };
}
