import type * as z from 'zod';
import type { Role } from './members.ts';

/** The least role that may call a route; `member`: everybody with an account; `anyone`: callers without one too. */
export type RouteRole = Role | 'member' | 'anyone';

/** What belongs to a project but has a path of its own, and the parameter with its ID. */
export interface ProjectResourceParams {
  key: 'keyId';
  webhook: 'webhookId';
}
export type ProjectResource = keyof ProjectResourceParams;

/** One route. Its name is its method and path, such as `GET /projects/:id/keys`; `:id` is a parameter. */
export interface RouteFacts {
  readonly role: RouteRole;
  /**
   * Which data it is about, and so where the role counts. Absent on routes below `/projects/:id`, which are about that
   * project. `key`, `webhook`: about the project that it belongs to. `account`: the caller’s own. `service`: about all
   * projects, so the role in all of them counts.
   */
  readonly of?: ProjectResource | 'account' | 'service';
  /** Whether it needs a session. An access token could otherwise make members or tokens that outlive it. */
  readonly sessionOnly?: true;
  /** The names that its query may have. */
  readonly query?: readonly string[];
  readonly body?: BodySchema;
  /** Of the body, in bytes. If absent, the API’s usual limit. */
  readonly limit?: number;
  readonly answer: Answer<unknown>;
  /** For `docs/dashboard-api.md`. */
  readonly what: string;
}

/** Reads a request’s body: `z.strictObject({ … })`, so that a misspelt field is a 400 and not ignored. */
export type BodySchema = z.ZodObject<z.core.$ZodLooseShape, z.core.$strict>;

/** What a route answers with. Only its type is used. */
export interface Answer<T> {
  readonly type?: T;
}

/** An answer that is not JSON: a file, or lines that are sent as they come. */
export type Stream = AsyncIterable<string | Uint8Array>;

export function json<T>(): Answer<T> {
  return {};
}

/** A 204. */
export const NOTHING: Answer<void> = {};
export const STREAM: Answer<Stream> = {};

type PathOf<Name> = Name extends `${'GET' | 'POST' | 'PATCH' | 'DELETE'} ${infer Path}` ? Path : never;

type ParamsOfPath<Path> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamsOfPath<`/${Rest}`>
  : Path extends `${string}:${infer Param}`
    ? Param
    : never;

/** The names of the parameters in a route’s path. */
export type ParamsOf<Name> = ParamsOfPath<PathOf<Name>>;

type ResourceWithParam<Param> = {
  [Kind in ProjectResource]: ProjectResourceParams[Kind] extends Param ? Kind : never;
}[ProjectResource];

/** What a route must say about the data that it belongs to, by its path. In a project a role is always needed. */
type Belonging<Name> =
  PathOf<Name> extends '/projects/:id' | `/projects/:id/${string}`
    ? { readonly of?: never; readonly role: Role }
    : [ResourceWithParam<ParamsOf<Name>>] extends [never]
      ? { readonly of: 'account' | 'service' }
      : { readonly of: ResourceWithParam<ParamsOf<Name>>; readonly role: Role };

type Checked<Table> = {
  readonly [Name in keyof Table]: [PathOf<Name>] extends [never] ? never : RouteFacts & Belonging<Name>;
};

/** Part of the table of routes. A route outside `/projects/:id` that does not say what it belongs to does not compile. */
export function routes<const Table extends Checked<Table>>(table: Table): Table {
  return table;
}
