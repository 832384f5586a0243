import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { projectQuery, projectsQuery, sessionQuery } from './api/queries.ts';
import { readDays } from './pages/overview/days.ts';
import { readFilters } from './pages/validations/filters.ts';
import { NotFound, PagePending, RouteTrouble } from './shell/route-states.tsx';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  errorComponent: RouteTrouble,
  notFoundComponent: NotFound,
});

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./pages/setup/setup-page.tsx'), 'SetupPage'),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  component: lazyRouteComponent(() => import('./pages/invite/invite-page.tsx'), 'InvitePage'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string; ended?: 1 } => {
    const next = text(search.next);
    // Only to pages of this dashboard: an address elsewhere would make the sign-in a lure.
    const within = next !== undefined && /^\/(?!\/)[^\\]*$/.test(next);
    return { ...(within && { next }), ...(search.ended === 1 && { ended: 1 }) };
  },
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: lazyRouteComponent(() => import('./shell/app-shell.tsx'), 'AppShell'),
  errorComponent: RouteTrouble,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session !== null) return;
    const next = location.href === '/' ? {} : { next: location.href };
    throw redirect({ to: '/sign-in', search: next });
  },
});

const projects = createRoute({
  getParentRoute: () => app,
  path: '/',
  pendingComponent: PagePending,
  loader: ({ context }) => context.queryClient.ensureQueryData(projectsQuery),
  component: lazyRouteComponent(() => import('./pages/projects/projects-page.tsx'), 'ProjectsPage'),
});

const members = createRoute({
  getParentRoute: () => app,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
});

const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
});

const health = createRoute({
  getParentRoute: () => app,
  path: '/health',
  component: lazyRouteComponent(() => import('./pages/health/health-page.tsx'), 'HealthPage'),
});

const workspaceAudit = createRoute({
  getParentRoute: () => app,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'WorkspaceAuditPage'),
});

const project = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId',
  pendingComponent: PagePending,
  errorComponent: RouteTrouble,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(projectQuery(params.projectId)),
  component: Outlet,
});

const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  validateSearch: readDays,
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});

const validations = createRoute({
  getParentRoute: () => project,
  path: '/validations',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./pages/validations/validations-page.tsx'), 'ValidationsPage'),
});

const sharing = createRoute({
  getParentRoute: () => project,
  path: '/sharing',
  validateSearch: (search: Record<string, unknown>): { device?: string; inbox?: string } => {
    const device = text(search.device);
    const inbox = text(search.inbox);
    return device !== undefined ? { device } : inbox !== undefined ? { inbox } : {};
  },
  component: lazyRouteComponent(() => import('./pages/sharing/sharing-page.tsx'), 'SharingPage'),
});

const keys = createRoute({
  getParentRoute: () => project,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
});

const playground = createRoute({
  getParentRoute: () => project,
  path: '/playground',
  component: lazyRouteComponent(() => import('./pages/playground/playground-page.tsx'), 'PlaygroundPage'),
});

const policy = createRoute({
  getParentRoute: () => project,
  path: '/policy',
  component: lazyRouteComponent(() => import('./pages/policy/policy-page.tsx'), 'PolicyPage'),
});

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const audit = createRoute({
  getParentRoute: () => project,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'ProjectAuditPage'),
});

export const routeTree = root.addChildren([
  setup,
  invite,
  signIn,
  app.addChildren([
    projects,
    members,
    account,
    health,
    workspaceAudit,
    project.addChildren([overview, validations, sharing, keys, playground, policy, settings, audit]),
  ]),
]);
