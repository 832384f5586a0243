import type { Caller, HookCaller } from '../admission/caller.ts';
import type { HttpRequest } from './http-message.ts';

/** What the headers say about the caller, unless it is a hook. */
export function readCaller({ header, hook }: HttpRequest): Caller | HookCaller {
  if (hook !== undefined) return hook;
  return {
    authorization: header('authorization'),
    projectId: header('x-project-id'),
    origin: header('origin'),
    referer: header('referer'),
    userAgent: header('user-agent'),
  };
}
