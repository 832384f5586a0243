import type { Store } from '../store/store.ts';

/** What the use cases work with. Command line and dashboard each bring their own actor. */
export interface Administration {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Each plan’s validations a month. The first is a new project’s. */
  readonly plans: ReadonlyMap<string, number>;
  /** Who the audit log names: `cli`, `service`, or a member’s ID. */
  readonly actor: string;
}

/** Something a person asked for is wrong. The message names the field and says what to do. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

const QUOTED_LENGTH = 60;

/** What was given, in a message that refuses it. JSON holds things that have no text, and texts of any length. */
export function quoted(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = String(value);
  return `'${text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text}'`;
}

/** A name in one line, or `undefined`. Control characters are nobody’s name, and PostgreSQL keeps no NUL. */
export function readLine(text: unknown, mostCharacters: number): string | undefined {
  const trimmed = typeof text === 'string' ? text.trim() : '';
  return trimmed === '' || trimmed.length > mostCharacters || /\p{Cc}/u.test(trimmed) ? undefined : trimmed;
}

/** There is no such project or key. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

export async function audit(
  { store, now, actor }: Pick<Administration, 'store' | 'now' | 'actor'>,
  action: string,
  projectId: string | null,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await store.audit.append({ at: now(), actor, action, projectId, detail });
}

const ID_ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';

/** A random ID without letters that look alike: 32 of them, so that each byte gives five even bits. */
export function randomId(prefix: string, length: number, randomBytes: Administration['randomBytes']): string {
  const letters = Array.from(randomBytes(length), (byte) => ID_ALPHABET.charAt(byte % ID_ALPHABET.length));
  return prefix + letters.join('');
}
