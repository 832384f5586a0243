import { DAY_MS, type HookFormat, OPEN_REASONS } from '@postern/contract';
import type { ClaimView, HookView, NewHookView } from '@postern/contract/dashboard';
import { openWord } from '../store/statistics/answer-times.ts';
import { slotOf } from '../store/statistics/statistics-words.ts';
import type { ClaimRow } from '../store/tables/claim-table.ts';
import { type Administration, withReason } from './administration.ts';
import {
  createHook,
  deleteHook,
  findHook,
  type Hook,
  hookPath,
  type IssuedHook,
  listHooks,
  rotateHook,
} from './change-hook.ts';
import { listClaims, releaseClaim, summarizeClaims } from './claims.ts';
import { created, type DashboardHandlers, NO_CONTENT, ok, queryText } from './operation.ts';

const OPEN_MS = 7 * DAY_MS;

export interface HookParts {
  /** Calls a hook as its sign-in server would, without counting. */
  readonly testHook: (hook: { readonly format: HookFormat; readonly id: string }) => Promise<{
    readonly status: number;
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
  }>;
}

export const hookOperations = {
  'GET /projects/:id/hooks': async ({ admin, params, caller }) => {
    const hooks = await listHooks(admin, params.id);
    const open = await openCalls(admin, params.id, hooks);
    return ok(hooks.map((hook) => ({ ...hookView(hook, caller.base), open: open.get(hook.id) ?? {} })));
  },
  'POST /projects/:id/hooks': async ({ admin, params, body, caller }) =>
    created(issuedView(await createHook(admin, { ...body, projectId: params.id }), caller.base)),
  'POST /projects/:id/hooks/:hookId/rotate': async ({ admin, params, body, caller }) => {
    await findHook(admin, params.hookId, params.id);
    return ok(issuedView(await rotateHook(admin, params.hookId, body.secret), caller.base));
  },
  'DELETE /projects/:id/hooks/:hookId': async ({ admin, params }) => {
    await findHook(admin, params.hookId, params.id);
    await deleteHook(admin, params.hookId);
    return NO_CONTENT;
  },
  'GET /projects/:id/claims': async (call) => {
    const { claims, next } = await listClaims(call.admin, call.params.id, queryText(call, 'before') ?? null);
    return ok({
      ...(await summarizeClaims(call.admin, call.params.id)),
      rows: claims.map(claimView),
      next,
    });
  },
  'POST /projects/:id/claims/:claimId/release': async ({ admin, params, body }) => {
    await releaseClaim(withReason(admin, body.reason), params.id, params.claimId);
    return NO_CONTENT;
  },
} satisfies Partial<DashboardHandlers>;

export const hookTestOperations = ({ testHook }: HookParts) =>
  ({
    'POST /projects/:id/hooks/:hookId/test': async ({ admin, params }) => {
      const { id, hook } = await findHook(admin, params.hookId, params.id);
      const { status, body, headers } = await testHook({ id, format: hook.format });
      return ok({ status, body, open: headers['X-Postern-Open'] ?? null });
    },
  }) satisfies Partial<DashboardHandlers>;

/** Whom each hook let in without judging. */
async function openCalls({ store, now }: Administration, projectId: string, hooks: readonly Hook[]) {
  const found = new Map<string, HookView['open']>();
  if (hooks.length === 0) return found;
  for await (const portion of store.statistics.read(projectId, slotOf(now() - OPEN_MS), now() + 1))
    for (const { counts } of portion)
      for (const { id } of hooks)
        for (const reason of OPEN_REASONS) {
          const count = counts.get(openWord(id, reason)) ?? 0;
          if (count > 0) {
            const open = found.get(id) ?? {};
            found.set(id, { ...open, [reason]: (open[reason] ?? 0) + count });
          }
        }
  return found;
}

function hookView(found: Hook, base: string): HookView {
  const { id, projectId, name, hook, createdAt, lastUsedAt } = found;
  const untils = hook.secrets.flatMap(({ until }) => until ?? []);
  return {
    ...{ id, projectId, name, format: hook.format, createdAt, lastUsedAt },
    url: base + hookPath(found),
    previousSecretUntil: untils.length === 0 ? null : Math.max(...untils),
    open: {},
  };
}

function issuedView({ hook, secret, instructions }: IssuedHook, base: string): NewHookView {
  return { ...hookView(hook, base), secret, instructions: instructions(base) };
}

function claimView({
  id,
  claim,
  at,
  granted,
  maskedAddress,
  inbox,
  because,
  since,
  releasedAt,
}: ClaimRow): ClaimView {
  const row = { id, claim, at, granted: granted === 1, address: maskedAddress, person: inbox };
  return { ...row, because: [...because], since, releasedAt };
}
