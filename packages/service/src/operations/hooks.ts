import { DAY_MS, HOOK_FORMATS, HOOKS_PATH, type HookFormat, OPEN_REASONS } from '@postern/contract';
import type { HookView, NewHookView } from '@postern/contract/dashboard';
import { HOOK_CODE } from '../hooks/hook-formats.ts';
import { type ApiKey, type HookDetails, hookHash } from '../model/api-key.ts';
import { openWord } from '../store/statistics/answer-times.ts';
import { slotOf } from '../store/statistics/statistics-words.ts';
import { type Administration, InvalidInput, NotFound, quoted, randomId } from './administration.ts';
import { findProject } from './change-project.ts';
import { created, type DashboardHandlers, NO_CONTENT, ok } from './operation.ts';

/** After a rotation both secrets are valid for a day. */
const ROTATION_MS = DAY_MS;
const MAX_HOOKS = 50;
const MAX_SECRETS = 3;
const ID_LENGTH = 16;
const OPEN_MS = 7 * DAY_MS;

type Hook = ApiKey & { readonly hook: HookDetails };

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
  'POST /projects/:id/hooks': async ({ admin, params, body, caller }) => {
    const { format, name = `${HOOK_FORMATS[format].server} hook` } = body;
    const secret = readSecret(admin, format, body.secret);
    const project = await findProject(admin, params.id);
    if (project.archivedAt !== null)
      throw new InvalidInput('project', `Project '${project.id}' is archived. Bring it back first.`);
    if ((await listHooks(admin, project.id)).length >= MAX_HOOKS)
      throw new InvalidInput('project', `A project has at most ${MAX_HOOKS} hooks. Delete one first.`);
    const id = randomId('hook_', ID_LENGTH, admin.randomBytes);
    const hook: Hook = {
      id,
      projectId: project.id,
      type: 'server',
      mode: 'live',
      name,
      hash: hookHash(id),
      hint: '',
      createdAt: admin.now(),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      version: 1,
      hook: { format, secrets: [{ kept: HOOK_CODE[format].proof.keep(secret), until: null }] },
    };
    return {
      write: admin.store.keys.creation(hook),
      note: [{ action: 'hook.create', project: project.id, detail: { hookId: id, format, name } }],
      answer: created(issuedView(hook, secret, caller.base)),
    };
  },
  'POST /projects/:id/hooks/:hookId/rotate': async ({ admin, params, body, caller }) => {
    const before = await findHook(admin, params.hookId, params.id);
    const { id, hook, projectId: project } = before;
    const secret = readSecret(admin, hook.format, body.secret);
    const now = admin.now();
    const kept = { kept: HOOK_CODE[hook.format].proof.keep(secret), until: null };
    const valid = hook.secrets
      .map((each) => ({ ...each, until: each.until ?? now + ROTATION_MS }))
      .filter(({ until }) => until > now);
    const after = { ...hook, secrets: [kept, ...valid].slice(0, MAX_SECRETS) };
    return {
      write: admin.store.keys.hookChange(before, after),
      note: [{ action: 'hook.rotate', project, detail: { hookId: id, format: hook.format } }],
      answer: ok(issuedView({ ...before, hook: after }, secret, caller.base)),
    };
  },
  'DELETE /projects/:id/hooks/:hookId': async ({ admin, params }) => {
    const found = await findHook(admin, params.hookId, params.id);
    const { id, hook, projectId: project } = found;
    const { keys } = admin.store;
    return {
      write: [...keys.hookChange(found, { ...hook, secrets: [] }), keys.revocation(found, admin.now())],
      note: [{ action: 'hook.delete', project, detail: { hookId: id, format: hook.format } }],
      answer: NO_CONTENT,
    };
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

async function listHooks({ store }: Pick<Administration, 'store'>, projectId: string): Promise<Hook[]> {
  const keys = await store.keys.list(projectId);
  return keys.filter(isHook).filter(({ revokedAt }) => revokedAt === null);
}

async function findHook(
  { store }: Pick<Administration, 'store'>,
  id: string,
  project: string,
): Promise<Hook> {
  const key = await store.keys.find(id);
  if (key === undefined || key.projectId !== project || !isHook(key) || key.revokedAt !== null)
    throw new NotFound(`There is no hook ${quoted(id)}.`);
  return key;
}

function isHook(key: ApiKey): key is Hook {
  return key.hook !== null;
}

/** The secret that the sign-in server made. If there is none, one is made here. */
function readSecret(admin: Administration, format: HookFormat, given: string | undefined): string {
  const { proof } = HOOK_CODE[format];
  if (given === undefined) return proof.makeSecret(admin.randomBytes);
  const fault = proof.faultOf(given);
  if (fault !== undefined) throw new InvalidInput('secret', fault);
  return given;
}

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

function hookView({ hook, ...key }: Hook, base: string): HookView {
  const { id, projectId, name, createdAt, lastUsedAt } = key;
  const untils = hook.secrets.flatMap(({ until }) => until ?? []);
  return {
    ...{ id, projectId, name, format: hook.format, createdAt, lastUsedAt },
    url: `${base.replace(/\/+$/, '')}${HOOKS_PATH}/${hook.format}/${id}`,
    previousSecretUntil: untils.length === 0 ? null : Math.max(...untils),
    open: {},
  };
}

/** With the secret, which is known only at this moment, and what to paste where. */
function issuedView(found: Hook, secret: string, base: string): NewHookView {
  const view = hookView(found, base);
  const instructions = HOOK_CODE[found.hook.format].instructions(view.url, secret);
  return { ...view, secret, instructions: instructions.replaceAll('rotate ID', `rotate ${found.id}`) };
}
