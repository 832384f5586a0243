import { type ApiError, apiError, originNotAllowed } from '@postern/contract';
import { matchesOrigin } from '../model/origin-pattern.ts';
import { isBrowserUserAgent } from '../model/user-agent.ts';
import type { Caller } from './caller.ts';
import type { ResolvedKey } from './resolved-key.ts';

/** One admission rule for a caller whose key is known. Returns the refusal, or nothing. */
type Gate = (caller: Caller, resolved: ResolvedKey) => ApiError | undefined;

/** The gates after the key’s form, in order. The first failing gate decides which error is returned. */
const GATES: readonly Gate[] = [projectIdGate, keyTypeGate, projectGate, originGate];

export function passGates(caller: Caller, resolved: ResolvedKey): ApiError | undefined {
  for (const gate of GATES) {
    const refusal = gate(caller, resolved);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function projectIdGate({ projectId }: Caller): ApiError | undefined {
  return projectId === undefined || projectId.trim() === '' ? apiError('PROJECT_ID_MISSING') : undefined;
}

function keyTypeGate(caller: Caller, { key }: ResolvedKey): ApiError | undefined {
  if (key.type !== 'server') return undefined;
  const fromBrowser =
    caller.origin !== undefined ||
    caller.referer !== undefined ||
    (caller.userAgent !== undefined && isBrowserUserAgent(caller.userAgent));
  return fromBrowser ? apiError('SERVER_KEY_IN_BROWSER') : undefined;
}

function projectGate({ projectId }: Caller, { project }: ResolvedKey): ApiError | undefined {
  return projectId?.trim() !== project.id || project.archivedAt !== null
    ? apiError('PROJECT_FORBIDDEN')
    : undefined;
}

function originGate({ origin }: Caller, { key, origins }: ResolvedKey): ApiError | undefined {
  if (key.type !== 'client') return undefined;
  if (origin === undefined || origin === '') return apiError('ORIGIN_MISSING');
  return matchesOrigin(origin, origins) ? undefined : originNotAllowed(origin);
}
