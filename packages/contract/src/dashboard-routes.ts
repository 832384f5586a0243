/**
 * The entry point `@postern/contract/dashboard-routes`: every route of the dashboard’s API, declared once. The service
 * implements the table, the pages call it, and `npm run docs` lists it in `docs/dashboard-api.md`.
 */
import type * as z from 'zod';
import type { Answer, BodySchema, ParamsOf, RouteFacts } from './dashboard/route.ts';
import { ACCOUNT_ROUTES } from './dashboard/routes/account.ts';
import { CAMPAIGN_ROUTES } from './dashboard/routes/campaigns.ts';
import { DECISION_ROUTES } from './dashboard/routes/decisions.ts';
import { HOOK_ROUTES } from './dashboard/routes/hooks.ts';
import { KEY_ROUTES } from './dashboard/routes/keys.ts';
import { LOG_ROUTES } from './dashboard/routes/log.ts';
import { PROJECT_ROUTES } from './dashboard/routes/projects.ts';
import { RULE_ROUTES } from './dashboard/routes/rules.ts';
import { WEBHOOK_ROUTES } from './dashboard/routes/webhooks.ts';

export type {
  ParamsOf,
  ProjectResource,
  ProjectResourceParams,
  RouteFacts,
  RouteRole,
  Stream,
} from './dashboard/route.ts';

const TABLE = {
  ...ACCOUNT_ROUTES,
  ...PROJECT_ROUTES,
  ...KEY_ROUTES,
  ...HOOK_ROUTES,
  ...WEBHOOK_ROUTES,
  ...LOG_ROUTES,
  ...DECISION_ROUTES,
  ...CAMPAIGN_ROUTES,
  ...RULE_ROUTES,
};

type Table = typeof TABLE;
/** The method and path of a route, such as `GET /projects/:id/keys`. */
export type RouteName = keyof Table;
/** The type of the body as it is sent; `undefined` if the route takes none. */
export type BodyOf<Name extends RouteName> = Table[Name] extends { readonly body: infer T extends BodySchema }
  ? z.input<T>
  : undefined;
/** The same as it is read. */
export type ReadBodyOf<Name extends RouteName> = Table[Name] extends {
  readonly body: infer T extends BodySchema;
}
  ? z.output<T>
  : undefined;
export type AnswerOf<Name extends RouteName> = Table[Name] extends { readonly answer: Answer<infer T> }
  ? T
  : never;
/** The names that the query may have. */
export type QueryOf<Name extends RouteName> = Table[Name] extends { readonly query: readonly (infer T)[] }
  ? T & string
  : never;

export const DASHBOARD_ROUTES: Readonly<Record<RouteName, RouteFacts>> = TABLE;

/** What a route needs besides its body: the parameters of its path, and its query. */
export type AskedOf<Name extends RouteName> = Readonly<Record<ParamsOf<Name>, string>> &
  Readonly<Partial<Record<QueryOf<Name>, string | number | undefined>>>;

export { listEntry, namedLists, projectId } from './dashboard/fields.ts';
export { Rules, WholeRule } from './dashboard/routes/rules.ts';
export { NewWebhook } from './dashboard/routes/webhooks.ts';
export { PolicyChange, SETTINGS } from './dashboard/setting-schema.ts';
