import type { Role } from '@postern/contract/dashboard';
import type { Administration } from '../administration/administration.ts';
import { InvalidInput, quoted } from '../administration/administration.ts';
import type { MemberRow } from '../store/tables/member-row.ts';
import type { LiveSession } from './auth/sign-in-library.ts';

/** One entry of the route table. Only this entry decides who can call the route. */
export interface DashboardRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the API’s base path; `:name` is a parameter. */
  readonly path: string;
  /**
   * The minimum role; `member` for everybody with an account, whatever their roles; `anyone` for callers without an
   * account too. `access.ts` says in which project the role counts.
   */
  readonly access: Role | 'member' | 'anyone';
  /** In bytes. If absent, the API’s usual limit. */
  readonly bodyLimit?: number;
  readonly run: (call: DashboardCall) => Promise<DashboardAnswer>;
}

/** An authorised request. */
export interface DashboardCall {
  /** The use cases, with the member as their actor. */
  readonly admin: Administration;
  readonly caller: RequestFacts;
  /** `undefined` on a route for anyone. */
  readonly member: MemberRow | undefined;
  /** The session that the request came with; `undefined` with an access token. */
  readonly session: LiveSession | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Facts of the HTTP request besides its content. */
export interface RequestFacts {
  readonly clientAddress: string;
  /** The last address that comes from a trusted proxy or from the socket itself. */
  readonly connectionAddress: string;
  readonly cookie: string;
  readonly userAgent: string;
  /** What a browser sends when it opens a stream of events again. */
  readonly lastEventId: string | undefined;
  /** The base of links for the caller, such as `https://postern.example`. */
  readonly base: string;
}

export interface DashboardAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** A body that is not JSON, and its headers. */
  readonly stream?: AsyncIterable<string | Buffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

export function ok(body: unknown): DashboardAnswer {
  return { status: 200, body };
}

export function created(body: unknown, cookies: readonly string[] = []): DashboardAnswer {
  return { status: 201, body, cookies };
}

export const NO_CONTENT: DashboardAnswer = { status: 204 };

/** An expected refusal that does not come from a use case. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.extra = extra;
  }
}

export function param(call: DashboardCall, name: string): string {
  return call.params[name] ?? '';
}

export function memberOf(call: DashboardCall): MemberRow {
  if (call.member === undefined) throw new Error('A route for members was called without one');
  return call.member;
}

/** The body as an object with any fields. The use cases read each field. This only checks that it is an object. */
export function fieldsOf<T extends object>(call: DashboardCall): { readonly [K in keyof T]?: T[K] } {
  const { body } = call;
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidInput('body', 'The body must be a JSON object.');
  return body as { readonly [K in keyof T]?: T[K] };
}

/** Unknown fields are refused, because a misspelt field would only be noticed much later. */
export function refuseOtherFields(call: DashboardCall, allowed: readonly string[]): void {
  const others = Object.keys(fieldsOf(call)).filter((name) => !allowed.includes(name));
  const [first] = others;
  if (first !== undefined)
    throw new InvalidInput(
      first.slice(0, 60),
      `Unknown field: ${others.slice(0, 10).map(quoted).join(', ')}. Known fields: ${allowed.join(', ')}.`,
    );
}

export function queryText(call: DashboardCall, name: string): string | undefined {
  const value = call.query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > 300 || value.includes('\0'))
    throw new InvalidInput(name, `${name} must be given once, in at most 300 characters.`);
  return value;
}

export function queryNumber(
  call: DashboardCall,
  name: string,
  least: number,
  most: number,
): number | undefined {
  const text = queryText(call, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new InvalidInput(name, `${name} must be a whole number from ${least} to ${most}.`);
  return value;
}

export function queryChoice<const T extends string>(
  call: DashboardCall,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const text = queryText(call, name);
  if (text === undefined) return undefined;
  const found = allowed.find((one) => one === text);
  if (found === undefined) throw new InvalidInput(name, `${name} must be one of ${allowed.join(', ')}.`);
  return found;
}
