import type { Caller } from '../admission/caller.ts';
import type { HttpRequest } from './http-message.ts';

/** What the headers say about the caller. */
export function readCaller({ header }: HttpRequest): Caller {
  return {
    authorization: header('authorization'),
    projectId: header('x-project-id'),
    origin: header('origin'),
    referer: header('referer'),
    userAgent: header('user-agent'),
  };
}
