import { keyRoutes } from './keys.ts';
import { inviteRoutes, memberRoutes } from './members.ts';
import { projectRoutes } from './projects.ts';
import type { DashboardRoute } from './route.ts';
import { type SessionParts, sessionRoutes } from './session.ts';
import { type SetupParts, setupRoutes } from './setup.ts';
import { tokenRoutes } from './tokens.ts';

export type RoutesParts = SessionParts & SetupParts;

/** Everything that the dashboard’s API can do, and who may. */
export function dashboardRoutes(parts: RoutesParts): DashboardRoute[] {
  return [
    ...setupRoutes(parts),
    ...sessionRoutes(parts),
    ...memberRoutes,
    ...inviteRoutes,
    ...tokenRoutes,
    ...projectRoutes,
    ...keyRoutes,
  ];
}
