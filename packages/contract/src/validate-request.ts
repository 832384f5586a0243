import { type CheckActions, isAction, isCheckName } from './checks.ts';
import { type ApiError, apiError, fieldInvalid } from './errors.ts';
import { EVENT_RULE, isRequestEvent, type RequestEvent } from './events.ts';
import type { KeyType } from './keys.ts';

/** The body of `POST /validate`, as a caller writes it. */
export interface ValidateRequest {
  email: string;
  fingerprintHash?: string | null;
  /** Another name for `fingerprintHash`, which wins when both are sent. */
  fingerprint?: string | null;
  sdkVersion?: string | null;
  /** Server keys only. */
  ip?: string | null;
  /** Server keys only. */
  userAgent?: string | null;
  /** The language of `message`: a tag such as `de-AT`, or the person’s `Accept-Language` header. */
  locale?: string | null;
  /** What the person is doing: `sign_up` when absent, or another word of 1 to 32 characters of `a-z_`. */
  event?: RequestEvent | (string & {}) | null;
  validations?: CheckActions | null;
}

/** The body after it was read: absent, `null` and empty are one, and names are settled. */
export interface ValidateOptions {
  readonly fingerprintHash?: string;
  readonly sdkVersion?: string;
  readonly ip?: string;
  readonly userAgent?: string;
  readonly locale?: string;
  readonly event?: string;
  readonly validations?: CheckActions;
}

export const MAX_BODY_BYTES: number = 16 * 1024;
export const MAX_FINGERPRINT_LENGTH = 256;

type Body = Readonly<Record<string, unknown>>;
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ApiError };

const ok = <T>(value: T): Read<T> => ({ ok: true, value });
const refused = (error: ApiError): Read<never> => ({ ok: false, error });

/** A JSON object, or the one error for everything else. `JSON.parse` keeps `__proto__` as plain data. */
export function readBody(text: string): Read<Body> {
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return ok(body);
  } catch {
    // Not JSON: the same answer as JSON that is not an object.
  }
  return refused(apiError('BODY_NOT_JSON'));
}

/** The address as it was typed, without the white space around it. */
export function readEmail(body: Body): Read<string> {
  const email = own(body, 'email');
  const trimmed = typeof email === 'string' ? email.trim() : '';
  return trimmed === '' ? refused(apiError('EMAIL_REQUIRED')) : ok(trimmed);
}

/** All fields but `email`. A client key’s `ip` and `userAgent` are not even looked at. */
export function readOptions(
  body: Body,
  keyType: KeyType,
  isIpAddress: (text: string) => boolean,
): Read<ValidateOptions> {
  const options: { -readonly [K in keyof ValidateOptions]: ValidateOptions[K] } = {};

  for (const field of ['fingerprint', 'fingerprintHash'] as const) {
    const value = own(body, field);
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') return refused(fieldInvalid(field, 'must be a string'));
    if (value.length > MAX_FINGERPRINT_LENGTH) {
      return refused(fieldInvalid(field, `must be at most ${MAX_FINGERPRINT_LENGTH} characters`));
    }
    options.fingerprintHash = value;
  }

  const texts =
    keyType === 'server'
      ? (['sdkVersion', 'locale', 'event', 'userAgent', 'ip'] as const)
      : (['sdkVersion', 'locale', 'event'] as const);
  for (const field of texts) {
    const value = own(body, field);
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return refused(fieldInvalid(field, 'must be a string'));
    if (field === 'ip' && !isIpAddress(value)) return refused(fieldInvalid(field, 'must be an IP address'));
    if (field === 'event' && !isRequestEvent(value)) return refused(fieldInvalid(field, EVENT_RULE));
    options[field] = value;
  }

  const validations = own(body, 'validations');
  if (validations !== undefined && validations !== null) {
    const actions = readValidations(validations);
    if (!actions.ok) return actions;
    options.validations = actions.value;
  }
  return ok(options);
}

function readValidations(value: unknown): Read<CheckActions> {
  if (!isObject(value)) return refused(fieldInvalid('validations', 'must be an object'));
  const actions: CheckActions = {};
  for (const [name, action] of Object.entries(value)) {
    if (!isCheckName(name))
      return refused(fieldInvalid(`validations.${name.slice(0, 40)}`, 'is not a known check'));
    if (!isAction(action))
      return refused(fieldInvalid(`validations.${name}`, 'must be allow, flag or block'));
    actions[name] = action;
  }
  return ok(actions);
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(body: Body, field: string): unknown {
  return Object.hasOwn(body, field) ? body[field] : undefined;
}
