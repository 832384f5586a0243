import { COMPANY_PROBLEMS, type CompanyProblem } from '@postern/contract/dashboard';
import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  type AnyValidator,
  type Constrain,
  createRootRouteWithContext,
  createRoute,
  type DefaultValidator,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { openCampaignsQuery } from './api/campaign-queries.ts';
import { projectQuery, projectsQuery, sessionQuery } from './api/queries.ts';
import { readRange, readToday } from './components/time-range.ts';
import { readReviewFilters } from './pages/review/review-filters.ts';
import { readThing } from './pages/things/read-things.ts';
import { readFilters } from './pages/validations/filters.ts';
import { lazyPage } from './shell/lazy-page.tsx';
import { ProjectFrame } from './shell/project-frame.tsx';
import { NotFound, PagePending, RouteError } from './shell/route-states.tsx';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  errorComponent: RouteError,
  notFoundComponent: NotFound,
});

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Makes pages below a route. Each is in a file of its own; `readSearch` reads what it keeps in the address bar. */
function pagesOf<Parent extends AnyRoute>(parent: Parent) {
  return <Path extends string, Name extends string, Reader = undefined>(
    path: Path,
    load: () => Promise<Record<Name, ComponentType>>,
    name: Name,
    readSearch?: Constrain<Reader, AnyValidator, DefaultValidator>,
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyPage(load, name),
      validateSearch: readSearch,
    });
}

type Search = Record<string, unknown>;

/** Where to go afterwards, and why the company sign-in did not work. */
function readSignIn(search: Search): { next?: string; problem?: CompanyProblem } {
  const problem = text(search.problem);
  const known = problem !== undefined && Object.hasOwn(COMPANY_PROBLEMS, problem);
  return { ...readNext(search), ...(known && { problem: problem as CompanyProblem }) };
}

function readNext(search: Search): { next?: string } {
  const next = text(search.next);
  // Only to pages of this dashboard, so that the sign-in cannot lead to another site.
  const within = next !== undefined && /^\/(?!\/)[^\\]*$/.test(next);
  return within ? { next } : {};
}

/** What a new rule begins with. */
function readRuleStart(search: Search): { when?: string; name?: string; then?: string } {
  const [when, name, then] = [text(search.when), text(search.name), text(search.then)];
  return {
    ...(when !== undefined && { when }),
    ...(name !== undefined && { name }),
    ...(then !== undefined && { then }),
  };
}

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: lazyPage(() => import('./shell/app-shell.tsx'), 'AppShell'),
  errorComponent: RouteError,
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

const project = createRoute({
  getParentRoute: () => app,
  path: '/projects/$projectId',
  pendingComponent: PagePending,
  errorComponent: RouteError,
  loader: async ({ context: { queryClient }, params: { projectId } }) => {
    // A banner that came after the page would push it down.
    const campaigns = queryClient.ensureQueryData(openCampaignsQuery(projectId)).catch(() => []);
    const found = await queryClient.ensureQueryData(projectQuery(projectId));
    await campaigns;
    return found;
  },
  component: ProjectFrame,
});

const open = pagesOf(root);
const signedIn = pagesOf(app);
const page = pagesOf(project);

export const routeTree = root.addChildren([
  open('/setup', () => import('./pages/setup/setup-page.tsx'), 'SetupPage'),
  open('/invite', () => import('./pages/invite/invite-page.tsx'), 'InvitePage'),
  open('/forgot-password', () => import('./pages/password/forgot-password-page.tsx'), 'ForgotPasswordPage'),
  open('/reset-password', () => import('./pages/password/reset-password-page.tsx'), 'ResetPasswordPage'),
  open('/sign-in', () => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage', readSignIn),
  open('/enter', () => import('./pages/sign-in/enter-page.tsx'), 'EnterPage'),
  app.addChildren([
    projects,
    signedIn('/members', () => import('./pages/members/members-page.tsx'), 'MembersPage'),
    signedIn('/account', () => import('./pages/account/account-page.tsx'), 'AccountPage'),
    signedIn('/health', () => import('./pages/health/health-page.tsx'), 'HealthPage'),
    signedIn('/audit', () => import('./pages/audit/audit-page.tsx'), 'WorkspaceAuditPage'),
    project.addChildren([
      page('/', () => import('./pages/overview/overview-page.tsx'), 'OverviewPage', readToday),
      page(
        '/validations',
        () => import('./pages/validations/validations-page.tsx'),
        'ValidationsPage',
        readFilters,
      ),
      page('/thing', () => import('./pages/things/thing-page.tsx'), 'ThingPage', readThing),
      page('/things/$kind', () => import('./pages/things/things-page.tsx'), 'ThingsPage', readFilters),
      page('/campaigns', () => import('./pages/campaigns/campaigns-page.tsx'), 'CampaignsPage'),
      page('/campaigns/$campaignId', () => import('./pages/campaigns/campaign-page.tsx'), 'CampaignPage'),
      page('/keys', () => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
      page('/bulk', () => import('./pages/bulk/bulk-page.tsx'), 'BulkPage'),
      page('/policy', () => import('./pages/policy/policy-page.tsx'), 'PolicyPage'),
      page(
        '/policy-history',
        () => import('./pages/policy-history/policy-history-page.tsx'),
        'PolicyHistoryPage',
      ),
      page('/rules', () => import('./pages/rules/rules-page.tsx'), 'RulesPage'),
      page('/rules/$rule', () => import('./pages/rules/rule-page.tsx'), 'RulePage', readRange),
      page('/rules/$rule/edit', () => import('./pages/rules/rule-editor-page.tsx'), 'EditRulePage'),
      page('/new-rule', () => import('./pages/rules/rule-editor-page.tsx'), 'NewRulePage', readRuleStart),
      page('/lists', () => import('./pages/named-lists/lists-page.tsx'), 'ListsPage'),
      page('/origins', () => import('./pages/settings/allowed-domains.tsx'), 'OriginsPage'),
      page('/settings', () => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
      page('/what-works', () => import('./pages/what-works/what-works-page.tsx'), 'WhatWorksPage'),
      page('/review', () => import('./pages/review/review-page.tsx'), 'ReviewPage', readReviewFilters),
      page('/claims', () => import('./pages/claims/claims-page.tsx'), 'ClaimsPage'),
      page('/webhooks', () => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
      page('/alerts', () => import('./pages/events/alerts-page.tsx'), 'AlertsPage'),
      page('/audit', () => import('./pages/audit/audit-page.tsx'), 'ProjectAuditPage'),
    ]),
  ]),
]);
