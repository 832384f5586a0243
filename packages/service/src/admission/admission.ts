import { type ApiError, apiError, originNotAllowed } from '@postern/contract';
import { type ApiKey, hookHash } from '../model/api-key.ts';
import { BoundedMap } from '../model/bounded-map.ts';
import { readKeySecret } from '../model/key-secret.ts';
import { matchesOrigin } from '../model/origin-pattern.ts';
import { sameSecret } from '../model/same-secret.ts';
import { hashSecretToken } from '../model/secret-token.ts';
import { isBrowserUserAgent } from '../model/user-agent.ts';
import type { RequestBudget } from '../store/deadline.ts';
import type { Store } from '../store/store.ts';
import type { Caller, HookCaller } from './caller.ts';
import { type ResolvedKey, resolveKey } from './resolved-key.ts';

/** One admission rule for a caller whose key is known. Returns the refusal, or nothing. */
type Gate = (caller: Caller, resolved: ResolvedKey) => ApiError | undefined;

/** The gates after the key’s form, in order. The first failing gate decides which error is returned. */
const GATES: readonly Gate[] = [projectIdGate, keyTypeGate, projectGate, originGate];

function passGates(caller: Caller, resolved: ResolvedKey): ApiError | undefined {
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

type Admission =
  | { readonly admitted: true; readonly resolved: ResolvedKey }
  | { readonly admitted: false; readonly error: ApiError };

export interface Gatekeeper {
  /**
   * Finds the key and passes the gates. An admission may come from this process’s cache, because the store confirms the
   * versions when it counts the request. A refusal always comes from the store. `reread` skips the cache.
   */
  admit(caller: Caller | HookCaller, reread: boolean, budget: RequestBudget): Admission | Promise<Admission>;
}

export interface GatekeeperOptions {
  readonly store: Pick<Store, 'findKey'>;
  readonly plans: ReadonlyMap<string, number>;
  readonly now: () => number;
}

const REMEMBERED_KEYS = 10_000;

export function createGatekeeper({ store, plans, now }: GatekeeperOptions): Gatekeeper {
  const remembered = new BoundedMap<string, ResolvedKey>(REMEMBERED_KEYS);

  async function read(hash: string, budget: RequestBudget): Promise<ResolvedKey | undefined> {
    const found = await store.findKey(hash, budget.begin());
    budget.end();
    if (found === undefined || !sameSecret(found.key.hash, hash)) {
      remembered.delete(hash);
      return undefined;
    }
    const resolved = resolveKey(found, plans);
    remembered.set(hash, resolved);
    return resolved;
  }

  async function admitAsStored(caller: Caller, hash: string, budget: RequestBudget): Promise<Admission> {
    const resolved = await read(hash, budget);
    if (resolved === undefined || !isLive(resolved.key, now())) return refuse(apiError('KEY_INVALID'));
    const refusal = passGates(caller, resolved);
    return refusal === undefined ? { admitted: true, resolved } : refuse(refusal);
  }

  /** A hook has proved itself, so no gate is left but whether it and its project are still there. */
  async function admitHook(
    { hookId, mode }: HookCaller,
    reread: boolean,
    budget: RequestBudget,
  ): Promise<Admission> {
    const cached = reread ? undefined : remembered.get(hookHash(hookId));
    const resolved = cached ?? (await read(hookHash(hookId), budget));
    if (resolved === undefined || !isLive(resolved.key, now()) || resolved.project.archivedAt !== null)
      return cached === undefined ? refuse(apiError('NOT_FOUND')) : admitHook({ hookId, mode }, true, budget);
    const { key, project } = resolved;
    return {
      admitted: true,
      resolved: mode === key.mode ? resolved : resolveKey({ key: { ...key, mode }, project }, plans),
    };
  }

  return {
    admit: (caller, reread, budget) => {
      if ('hookId' in caller) return admitHook(caller, reread, budget);
      const secret = bearerToken(caller.authorization);
      if (secret === undefined) return refuse(apiError('KEY_INVALID'));
      const hash = hashSecretToken(secret);
      const cached = reread ? undefined : remembered.get(hash);
      if (cached !== undefined && isLive(cached.key, now()) && passGates(caller, cached) === undefined) {
        return { admitted: true, resolved: cached };
      }
      // A key with a wrong checksum exists nowhere, so the store is not asked.
      if (readKeySecret(secret) === undefined) return refuse(apiError('KEY_INVALID'));
      return admitAsStored(caller, hash, budget);
    },
  };
}

function refuse(error: ApiError): Admission {
  return { admitted: false, error };
}

/** RFC 6750 section 2.1; the scheme’s case does not matter (RFC 9110 section 11.1). */
function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return authorization.slice(7).trim();
}

function isLive(key: ApiKey, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}
