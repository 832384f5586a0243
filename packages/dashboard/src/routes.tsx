import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { projectQuery, projectsQuery, sessionQuery } from './api/queries.ts';
import { readDays, readRange, type TimeRange } from './components/time-range.ts';
import { readFilters } from './pages/validations/filters.ts';
import { lazyPage } from './shell/lazy-page.tsx';
import { ProjectFrame } from './shell/project-frame.tsx';
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
  component: lazyPage(() => import('./pages/setup/setup-page.tsx'), 'SetupPage'),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  component: lazyPage(() => import('./pages/invite/invite-page.tsx'), 'InvitePage'),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyPage(() => import('./pages/password/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyPage(() => import('./pages/password/reset-password-page.tsx'), 'ResetPasswordPage'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = text(search.next);
    // Only to pages of this dashboard, so that the sign-in cannot lead to another site.
    const within = next !== undefined && /^\/(?!\/)[^\\]*$/.test(next);
    return within ? { next } : {};
  },
  component: lazyPage(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: lazyPage(() => import('./shell/app-shell.tsx'), 'AppShell'),
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
  component: lazyPage(() => import('./pages/projects/projects-page.tsx'), 'ProjectsPage'),
});

const members = createRoute({
  getParentRoute: () => app,
  path: '/members',
  component: lazyPage(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
});

const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  component: lazyPage(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
});

const health = createRoute({
  getParentRoute: () => app,
  path: '/health',
  component: lazyPage(() => import('./pages/health/health-page.tsx'), 'HealthPage'),
});

const workspaceAudit = createRoute({
  getParentRoute: () => app,
  path: '/audit',
  component: lazyPage(() => import('./pages/audit/audit-page.tsx'), 'WorkspaceAuditPage'),
});

const project = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId',
  pendingComponent: PagePending,
  errorComponent: RouteTrouble,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(projectQuery(params.projectId)),
  component: ProjectFrame,
});

const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  validateSearch: readDays,
  component: lazyPage(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});

const validations = createRoute({
  getParentRoute: () => project,
  path: '/validations',
  validateSearch: readFilters,
  component: lazyPage(() => import('./pages/validations/validations-page.tsx'), 'ValidationsPage'),
});

const sharing = createRoute({
  getParentRoute: () => project,
  path: '/sharing',
  validateSearch: (search: Record<string, unknown>): { device?: string; inbox?: string } => {
    const device = text(search.device);
    const inbox = text(search.inbox);
    return device !== undefined ? { device } : inbox !== undefined ? { inbox } : {};
  },
  component: lazyPage(() => import('./pages/sharing/sharing-page.tsx'), 'SharingPage'),
});

const person = createRoute({
  getParentRoute: () => project,
  path: '/people/$inbox',
  component: lazyPage(() => import('./pages/person/person-page.tsx'), 'PersonPage'),
});

const domain = createRoute({
  getParentRoute: () => project,
  path: '/domains/$domain',
  validateSearch: readRange,
  component: lazyPage(() => import('./pages/domain/domain-page.tsx'), 'DomainPage'),
});

const network = createRoute({
  getParentRoute: () => project,
  path: '/network',
  validateSearch: (search: Record<string, unknown>): TimeRange & { asn?: number; network?: string } => {
    const asn = Number(search.asn);
    const range = text(search.network);
    const of = range !== undefined ? { network: range } : asn >= 0 ? { asn } : {};
    return { ...of, ...readRange(search) };
  },
  component: lazyPage(() => import('./pages/network/network-page.tsx'), 'NetworkPage'),
});

const keys = createRoute({
  getParentRoute: () => project,
  path: '/keys',
  component: lazyPage(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
});

const playground = createRoute({
  getParentRoute: () => project,
  path: '/playground',
  component: lazyPage(() => import('./pages/playground/playground-page.tsx'), 'PlaygroundPage'),
});

const bulk = createRoute({
  getParentRoute: () => project,
  path: '/bulk',
  component: lazyPage(() => import('./pages/bulk/bulk-page.tsx'), 'BulkPage'),
});

const policy = createRoute({
  getParentRoute: () => project,
  path: '/policy',
  validateSearch: (search: Record<string, unknown>): { try?: string; days?: number } => {
    const tried = text(search.try);
    if (tried === undefined) return {};
    return typeof search.days === 'number' ? { try: tried, days: search.days } : { try: tried };
  },
  component: lazyPage(() => import('./pages/policy/policy-page.tsx'), 'PolicyPage'),
});

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyPage(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const whatWorks = createRoute({
  getParentRoute: () => project,
  path: '/what-works',
  component: lazyPage(() => import('./pages/what-works/what-works-page.tsx'), 'WhatWorksPage'),
});

const review = createRoute({
  getParentRoute: () => project,
  path: '/review',
  component: lazyPage(() => import('./pages/review/review-page.tsx'), 'ReviewPage'),
});

const webhooks = createRoute({
  getParentRoute: () => project,
  path: '/webhooks',
  component: lazyPage(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const alerts = createRoute({
  getParentRoute: () => project,
  path: '/alerts',
  component: lazyPage(() => import('./pages/events/alerts-page.tsx'), 'AlertsPage'),
});

const audit = createRoute({
  getParentRoute: () => project,
  path: '/audit',
  component: lazyPage(() => import('./pages/audit/audit-page.tsx'), 'ProjectAuditPage'),
});

export const routeTree = root.addChildren([
  setup,
  invite,
  forgotPassword,
  resetPassword,
  signIn,
  app.addChildren([
    projects,
    members,
    account,
    health,
    workspaceAudit,
    project.addChildren([
      overview,
      validations,
      sharing,
      person,
      domain,
      network,
      keys,
      playground,
      bulk,
      policy,
      settings,
      whatWorks,
      review,
      webhooks,
      alerts,
      audit,
    ]),
  ]),
]);
