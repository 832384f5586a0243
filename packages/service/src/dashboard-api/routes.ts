import type { RouteFacts } from '@postern/contract/dashboard-routes';
import { DASHBOARD_ROUTES, type RouteName } from '@postern/contract/dashboard-routes';
import { type HookParts, hookTestOperations } from '../operations/hooks.ts';
import { type InviteParts, inviteOperations } from '../operations/members.ts';
import type { DashboardHandlers, DashboardRoute } from '../operations/operation.ts';
import { ownAccountOperations, type SessionParts, sessionOperations } from '../operations/own-account.ts';
import { type SignUpParts, signUpOperations } from '../operations/sign-up.ts';
import { type WebhookParts, webhookTargetOperations } from '../operations/webhooks.ts';
import { type BulkParts, bulkRoutes } from './bulk.ts';
import { type DomainParts, domainRoutes } from './domains.ts';
import { type HealthRouteParts, healthRoutes } from './health.ts';
import { type NetworkParts, networkRoutes } from './networks.ts';
import { type OutcomeRouteParts, outcomeRoutes } from './outcomes.ts';
import { type PlaygroundParts, playgroundRoutes } from './playground.ts';
import { proposalRoutes } from './proposals.ts';
import { ringRoutes } from './rings.ts';
import { ruleFailureRoutes } from './rule-failures.ts';
import { ruleRoutes } from './rules.ts';
import { type SafetyParts, safetyRoutes } from './safety.ts';
import { storeRoutes } from './store-routes.ts';
import { timeMachineRoutes } from './time-machine.ts';
import { type ValidationParts, validationRoutes } from './validations.ts';

export interface RoutesParts
  extends SessionParts,
    SignUpParts,
    InviteParts,
    ValidationParts,
    PlaygroundParts,
    BulkParts,
    HealthRouteParts,
    SafetyParts,
    OutcomeRouteParts,
    DomainParts,
    WebhookParts,
    HookParts,
    NetworkParts {}

/** All routes of the dashboard’s API, as the contract declares them. */
export function dashboardRoutes(parts: RoutesParts): DashboardRoute[] {
  const handlers: DashboardHandlers = {
    ...signUpOperations(parts),
    ...sessionOperations(parts),
    ...inviteOperations(parts),
    ...ownAccountOperations,
    ...storeRoutes,
    ...safetyRoutes(parts),
    ...validationRoutes(parts),
    ...ringRoutes(parts),
    ...ruleRoutes(parts),
    ...ruleFailureRoutes(parts),
    ...proposalRoutes(parts),
    ...domainRoutes(parts),
    ...networkRoutes(parts),
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
