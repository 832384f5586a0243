import type { RouteFacts } from '@postern/contract/dashboard-routes';
import { DASHBOARD_ROUTES, type RouteName } from '@postern/contract/dashboard-routes';
import { type BulkParts, bulkRoutes } from '../operations/bulk.ts';
import { type DomainParts, domainRoutes } from '../operations/domains.ts';
import { type HealthRouteParts, healthRoutes } from '../operations/health.ts';
import { type HookParts, hookTestOperations } from '../operations/hooks.ts';
import { type InviteParts, inviteOperations } from '../operations/members.ts';
import type { ConcurrencyLimit, DashboardHandlers, DashboardRoute } from '../operations/operation.ts';
import { type OutcomeRouteParts, outcomeRoutes } from '../operations/outcomes.ts';
import { ownAccountOperations, type SessionParts, sessionOperations } from '../operations/own-account.ts';
import { type PlaygroundParts, playgroundRoutes } from '../operations/playground.ts';
import { type SafetyFacts, safetyOperations } from '../operations/safety-checklist.ts';
import { type SignUpParts, signUpOperations } from '../operations/sign-up.ts';
import type { ThingParts } from '../operations/thing-facts.ts';
import { thingRoutes } from '../operations/things.ts';
import { type TimeMachineParts, timeMachineRoutes } from '../operations/time-machine.ts';
import { type WebhookParts, webhookTargetOperations } from '../operations/webhooks.ts';
import { storeRoutes } from './store-routes.ts';

export interface RoutesParts
  extends SessionParts,
    SignUpParts,
    InviteParts,
    TimeMachineParts,
    PlaygroundParts,
    BulkParts,
    HealthRouteParts,
    Pick<SafetyFacts, 'settings'>,
    OutcomeRouteParts,
    DomainParts,
    WebhookParts,
    HookParts,
    ThingParts {
  readonly longReads: ConcurrencyLimit;
}

/** All routes of the dashboard’s API, as the contract declares them. */
export function dashboardRoutes(parts: RoutesParts): DashboardRoute[] {
  const handlers: DashboardHandlers = {
    ...signUpOperations(parts),
    ...sessionOperations(parts),
    ...inviteOperations(parts),
    ...ownAccountOperations,
    ...storeRoutes,
    ...safetyOperations(parts),
    ...domainRoutes(parts),
    ...thingRoutes(parts),
    ...playgroundRoutes(parts),
    ...bulkRoutes(parts),
    ...timeMachineRoutes(parts),
    ...outcomeRoutes(parts),
    ...webhookTargetOperations(parts),
    ...hookTestOperations(parts),
    ...healthRoutes(parts),
  };
  return (Object.keys(DASHBOARD_ROUTES) as RouteName[]).map((name) => {
    const { role: access, of, body, limit, sessionOnly }: RouteFacts = DASHBOARD_ROUTES[name];
    const [method, path = ''] = name.split(' ');
    // The plugin calls each with the parameters of its own path.
    return { method, path, access, of, body, limit, sessionOnly, run: handlers[name] } as DashboardRoute;
  });
}
