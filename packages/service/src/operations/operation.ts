import { roleIn } from '@postern/contract/dashboard';
import type {
  AnswerOf,
  ParamsOf,
  QueryOf,
  ReadBodyOf,
  RouteFacts,
  RouteName,
  RouteRole,
  Stream,
} from '@postern/contract/dashboard-routes';
import type { MemberRow } from '../store/tables/member-row.ts';
import { type Administration, InvalidInput } from './administration.ts';
import type { Change } from './perform.ts';

/** One entry of the contract’s table of routes, with its implementation. */
export interface DashboardRoute extends Pick<RouteFacts, 'of' | 'body' | 'limit' | 'sessionOnly'> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the API’s base path; `:name` is a parameter. */
  readonly path: string;
  /** The least role. `access.ts` says in which project it counts. */
  readonly access: RouteRole;
  readonly run: (call: DashboardCall<string, string, never>) => Promise<Outcome>;
}

/** What an operation answers, or a change that answers it when it is stored. */
export type Outcome<T = unknown> = DashboardAnswer<T> | Change<DashboardAnswer<T>>;

/** What the service does for each route of the contract. One that is missing or misnamed does not compile. */
export type DashboardHandlers = {
  readonly [Name in RouteName]: (call: RouteCall<Name>) => Promise<Outcome<AnswerOf<Name>>>;
};

/** An authorised request for a route. */
export type RouteCall<Name extends RouteName> = DashboardCall<
  ParamsOf<Name>,
  QueryOf<Name>,
  ReadBodyOf<Name>
>;

/** An authorised request, with the names of its parameters and its query, and the type of its body. */
export interface DashboardCall<Param extends string = never, Query extends string = never, Body = unknown> {
  /** The use cases, with the member as their actor. */
  readonly admin: Administration;
  readonly caller: RequestFacts;
  /** `undefined` on a route for anyone. */
  readonly member: MemberRow | undefined;
  /** The session that the request came with; `undefined` with an access token. */
  readonly session: LiveSession | undefined;
  /** Long reads of the log run one at a time and in portions, so that requests can run in between. */
  readonly longReads: ConcurrencyLimit;
  readonly params: Readonly<Record<Param, string>>;
  readonly query: Readonly<Record<Query, unknown>>;
  /** The body as the contract’s schema reads it. */
  readonly body: Body;
}

/** Runs the work when there is room. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

export interface LiveSession {
  readonly userId: string;
  readonly token: string;
  readonly twoFactorEnabled: boolean;
  /** Cookies that prolong the session. */
  readonly cookies: readonly string[];
}

/** Facts of the HTTP request besides its content. */
export interface RequestFacts {
  readonly clientAddress: string;
  /** The last address that comes from a trusted proxy or from the socket itself. */
  readonly connectionAddress: string;
  readonly cookie: string;
  readonly userAgent: string;
  /** The base of links for the caller, such as `https://postern.example`. */
  readonly base: string;
}

export interface DashboardAnswer<T = unknown> {
  readonly status: number;
  /** Sent as JSON, unless it is a stream. */
  readonly body: T;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

export function ok<T>(body: T): DashboardAnswer<T> {
  return { status: 200, body };
}

export function created<T>(body: T, cookies: readonly string[] = []): DashboardAnswer<T> {
  return { status: 201, body, cookies };
}

export const NO_CONTENT: DashboardAnswer<void> = { status: 204, body: undefined };

export function streamed(body: Stream, headers: Readonly<Record<string, string>>): DashboardAnswer<Stream> {
  return { status: 200, body, headers };
}

/** A file to download. */
export function csv(name: string, lines: Stream): DashboardAnswer<Stream> {
  return streamed(lines, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  });
}

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

export function memberOf({ member }: DashboardCall): MemberRow {
  if (member === undefined) throw new Error('A route for members was called without one');
  return member;
}

export function mayRead(member: MemberRow, projectId: string | null): boolean {
  return (projectId === null ? member.role : roleIn(member, projectId)) !== 'none';
}

type Queried<Name extends string> = Pick<DashboardCall<never, Name>, 'query'>;

export function queryText<Name extends string>(
  call: Queried<NoInfer<Name>>,
  name: Name,
  most = 300,
): string | undefined {
  const value = call.query[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || value.length > most || value.includes('\0'))
    throw new InvalidInput(name, `${name} must be given once, in at most ${most} characters.`);
  return value;
}

export function queryNumber<Name extends string>(
  call: Queried<NoInfer<Name>>,
  name: Name,
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

/** An ID that begins with a time, such as the `next` of a page. */
export function queryId<Name extends string>(call: Queried<NoInfer<Name>>, name: Name): string | null {
  const text = queryText(call, name) ?? null;
  if (text !== null && !/^[0-9a-z]{9,64}$/.test(text))
    throw new InvalidInput(name, `${name} must be the value of next from the previous page.`);
  return text;
}

/** The end of the year 9999. Days cannot be counted up to the last moment that a Date can have. */
const LAST_TIME = 253_402_300_799_999;

/** Milliseconds since 1970. */
export function queryTime<Name extends string>(call: Queried<NoInfer<Name>>, name: Name): number | undefined {
  return queryNumber<string>(call, name, 0, LAST_TIME);
}

export function queryChoice<Name extends string, const T extends string>(
  call: Queried<NoInfer<Name>>,
  name: Name,
  allowed: readonly T[],
): T | undefined {
  const text = queryText(call, name);
  if (text === undefined) return undefined;
  const found = allowed.find((one) => one === text);
  if (found === undefined) throw new InvalidInput(name, `${name} must be one of ${allowed.join(', ')}.`);
  return found;
}
