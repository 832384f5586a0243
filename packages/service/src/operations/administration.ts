import type { AuditAction } from '@postern/contract/dashboard';
import type { Store } from '../store/store.ts';

/** What all operations here need. The command line and the dashboard call the same ones, with a different actor. */
export interface Administration {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** The validations per month of each plan. New projects get the first plan. */
  readonly plans: ReadonlyMap<string, number>;
  /** Whether a mail server is set. Absent: not known. */
  readonly sendsMail?: boolean | undefined;
  /** Who the audit log names: `cli`, `service`, or a member’s ID. */
  readonly actor: string;
  /** How the actor came: from which network, and with which access token. The audit log notes it. */
  readonly via?: { readonly address?: string | undefined; readonly token?: string | undefined } | undefined;
  /** Why it is done, in the member’s words. */
  readonly reason?: string | undefined;
}

/** The user’s input is invalid. The message names the field and says what to do. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly field: string;
  /** Where in the field, if it is a text with lines. */
  readonly place: { readonly line: number; readonly column: number } | undefined;

  constructor(field: string, message: string, place?: { readonly line: number; readonly column: number }) {
    super(message);
    this.field = field;
    this.place = place;
  }
}

const QUOTED_LENGTH = 60;

/** The given value, for an error message. JSON values may not be strings, and strings can have any length. */
export function quoted(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = String(value);
  return `'${text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text}'`;
}

/**
 * The trimmed text, or `undefined` if it is empty, too long, or has control characters: a name has one line, and
 * PostgreSQL cannot store NUL.
 */
export function readLine(text: unknown, maxLength: number): string | undefined {
  const trimmed = typeof text === 'string' ? text.trim() : '';
  return trimmed === '' || trimmed.length > maxLength || /\p{Cc}/u.test(trimmed) ? undefined : trimmed;
}

const MAX_REASON_LENGTH = 200;

/** The operations, done for this reason, if one is given. */
export function withReason<T extends Administration>(admin: T, reason: unknown): T {
  if (reason === undefined || reason === null || reason === '') return admin;
  const line = readLine(reason, MAX_REASON_LENGTH);
  if (line === undefined)
    throw new InvalidInput('reason', `A reason is one line with 1 to ${MAX_REASON_LENGTH} characters.`);
  return { ...admin, reason: line };
}

const MAX_ACTOR_LENGTH = 100;

/** Who the audit log names for a command: `cli`, with the name that was given. */
export function readActor(name: string | undefined): string {
  if (name === undefined) return 'cli';
  const line = readLine(name, MAX_ACTOR_LENGTH);
  if (line === undefined)
    throw new InvalidInput('as', `A name is one line with 1 to ${MAX_ACTOR_LENGTH} characters.`);
  return `cli:${line}`;
}

/** There is no such project or key. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

export async function audit(
  { store, now, actor, via }: Pick<Administration, 'store' | 'now' | 'actor' | 'via'>,
  action: AuditAction,
  projectId: string | null,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const how = Object.fromEntries(Object.entries(via ?? {}).filter(([, value]) => value !== undefined));
  await store.audit.append({ at: now(), actor, action, projectId, detail: { ...detail, ...how } });
}

const ID_ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';

/** A random ID without letters that look alike. The alphabet has 32 letters, so that `byte % 32` is not biased. */
export function randomId(prefix: string, length: number, randomBytes: Administration['randomBytes']): string {
  const letters = Array.from(randomBytes(length), (byte) => ID_ALPHABET.charAt(byte % ID_ALPHABET.length));
  return prefix + letters.join('');
}
