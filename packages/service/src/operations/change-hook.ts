import {
  DAY_MS,
  HOOK_FORMAT_NAMES,
  HOOK_FORMATS,
  HOOKS_PATH,
  type HookFormat,
  isHookFormat,
} from '@postern/contract';
import { HOOK_CODE } from '../hooks/hook-formats.ts';
import { type ApiKey, type HookDetails, hookHash } from '../model/api-key.ts';
import { type Administration, InvalidInput, NotFound, quoted, randomId, readLine } from './administration.ts';
import { findProject } from './change-project.ts';
import { perform } from './perform.ts';

/** After a rotation both secrets are valid for a day. */
const ROTATION_MS = DAY_MS;
const MAX_HOOKS = 50;
const MAX_SECRETS = 3;
const MAX_NAME_LENGTH = 100;
const ID_LENGTH = 16;

export type Hook = ApiKey & { readonly hook: HookDetails };

export interface NewHookFields {
  readonly projectId: string;
  readonly format: unknown;
  readonly name?: unknown;
  /** The secret that the sign-in server made. If absent, one is made here. */
  readonly secret?: unknown;
}

/** A hook with its secret, which is known only at this moment. */
export interface IssuedHook {
  readonly hook: Hook;
  readonly secret: string;
  /** Where it is called, below the service’s address. */
  readonly path: string;
  /** What to paste where, for that address of the service. */
  readonly instructions: (base: string) => string;
}

export async function createHook(admin: Administration, fields: NewHookFields): Promise<IssuedHook> {
  const { format } = fields;
  if (typeof format !== 'string' || !isHookFormat(format))
    throw new InvalidInput(
      'format',
      `Hook format ${quoted(format)} is not known. Use ${HOOK_FORMAT_NAMES.join(', ')}.`,
    );
  const name = readLine(fields.name ?? `${HOOK_FORMATS[format].server} hook`, MAX_NAME_LENGTH);
  if (name === undefined)
    throw new InvalidInput('name', `A hook’s name has 1 to ${MAX_NAME_LENGTH} characters.`);
  const secret = readSecret(admin, format, fields.secret);
  return perform(admin, async () => {
    const project = await findProject(admin, fields.projectId);
    if (project.archivedAt !== null)
      throw new InvalidInput('project', `Project '${project.id}' is archived. Bring it back first.`);
    if ((await listHooks(admin, project.id)).length >= MAX_HOOKS)
      throw new InvalidInput('project', `A project has at most ${MAX_HOOKS} hooks. Delete one first.`);
    const id = randomId('hook_', ID_LENGTH, admin.randomBytes);
    const key: ApiKey = {
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
      write: admin.store.keys.creation(key),
      note: [{ action: 'hook.create', project: project.id, detail: { hookId: id, format, name } }],
      answer: issued(key, secret),
    };
  });
}

export async function listHooks(
  { store }: Pick<Administration, 'store'>,
  projectId?: string,
): Promise<Hook[]> {
  const keys = await store.keys.list(projectId);
  return keys.filter(isHook).filter(({ revokedAt }) => revokedAt === null);
}

/** Gives a hook another secret. The one before stays valid for a day. */
export async function rotateHook(
  admin: Administration,
  id: string,
  ownSecret?: unknown,
): Promise<IssuedHook> {
  return perform(admin, async () => {
    const before = await findHook(admin, id);
    const { hook, projectId: project } = before;
    const secret = readSecret(admin, hook.format, ownSecret);
    const now = admin.now();
    const kept = { kept: HOOK_CODE[hook.format].proof.keep(secret), until: null };
    const valid = hook.secrets
      .map((each) => ({ ...each, until: each.until ?? now + ROTATION_MS }))
      .filter(({ until }) => until > now);
    const after = { ...hook, secrets: [kept, ...valid].slice(0, MAX_SECRETS) };
    return {
      write: admin.store.keys.hookChange(before, after),
      note: [{ action: 'hook.rotate', project, detail: { hookId: id, format: hook.format } }],
      answer: issued({ ...before, hook: after }, secret),
    };
  });
}

export async function deleteHook(admin: Administration, id: string): Promise<Hook> {
  return perform(admin, async () => {
    const found = await findHook(admin, id);
    const { keys } = admin.store;
    return {
      write: [...keys.hookChange(found, { ...found.hook, secrets: [] }), keys.revocation(found, admin.now())],
      note: [
        {
          action: 'hook.delete',
          project: found.projectId,
          detail: { hookId: id, format: found.hook.format },
        },
      ],
      answer: found,
    };
  });
}

export async function findHook(
  { store }: Pick<Administration, 'store'>,
  id: string,
  projectId?: string,
): Promise<Hook> {
  const key = await store.keys.find(id);
  const isOthers = projectId !== undefined && key?.projectId !== projectId;
  if (key === undefined || isOthers || !isHook(key) || key.revokedAt !== null)
    throw new NotFound(`There is no hook ${quoted(id)}.`);
  return key;
}

function isHook(key: ApiKey): key is Hook {
  return key.hook !== null;
}

function readSecret(admin: Administration, format: HookFormat, given: unknown): string {
  const { proof } = HOOK_CODE[format];
  if (given === undefined || given === null || given === '') return proof.makeSecret(admin.randomBytes);
  const secret = typeof given === 'string' ? given.trim() : '';
  const fault = proof.faultOf(secret);
  if (fault !== undefined) throw new InvalidInput('secret', fault);
  return secret;
}

function issued(key: ApiKey, secret: string): IssuedHook {
  if (!isHook(key)) throw new Error(`${key.id} is no hook`);
  const path = hookPath(key);
  const { instructions } = HOOK_CODE[key.hook.format];
  const at = (base: string) => base.replace(/\/+$/, '') + path;
  return {
    hook: key,
    secret,
    path,
    instructions: (base) => instructions(at(base), secret).replaceAll('rotate ID', `rotate ${key.id}`),
  };
}

export function hookPath({ id, hook }: Hook): string {
  return `${HOOKS_PATH}/${hook.format}/${id}`;
}
