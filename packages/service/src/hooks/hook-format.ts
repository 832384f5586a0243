import type { Recommendation } from '@postern/contract';
import { parseWrittenIp } from '../model/written-ip.ts';
import type { ProofScheme } from './prove-sender.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What a call asks. */
type ReadCall =
  /** A body for `/validate`, and the verdict that the page of the person got. */
  | { readonly ask: Json; readonly verdict?: unknown }
  /** The field that makes it no body of this format. */
  | { readonly missing: string }
  /** A person without an address, who signs up by phone for example, is allowed. */
  | 'no-address';

/** What the sign-in server is told. */
export interface HookDecision {
  readonly recommendation: Recommendation;
  readonly message: string | null;
  /** What `/validate` answered; absent when nothing was judged. */
  readonly answer?: string | undefined;
}

/** A sign-in server’s language. Each format is one file, and `hook-formats.ts` lists them. */
export interface HookFormatCode {
  readonly proof: ProofScheme;
  readonly read: (body: Json) => ReadCall;
  readonly write: (
    decision: HookDecision,
    call: { readonly secret: string | undefined; readonly now: number },
  ) => { readonly status: number; readonly body: object | string };
  /** What the server sends for a person who signs up with this address, for a test call. */
  readonly sample: (email: string) => Json;
  /** What to paste where. */
  readonly instructions: (url: string, secret: string) => string;
}

/** What a refusal says if there is no sentence for the person. */
export const REFUSED = 'This email address cannot be used to sign up.';

/** An object in a body, or an empty one. */
export function part(body: Json, ...names: readonly string[]): Json {
  let found: unknown = body;
  for (const name of names) found = isJson(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return isJson(found) ? found : {};
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text that is not empty. */
export function textIn(body: Json, name: string): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** What a sign-in server knows of the person’s connection. An address that is none is left out, not refused. */
export function visitor(ip: string | undefined, userAgent: string | undefined): Json {
  return {
    ...(ip !== undefined && parseWrittenIp(ip) !== undefined && { ip }),
    ...(userAgent !== undefined && { userAgent }),
  };
}
