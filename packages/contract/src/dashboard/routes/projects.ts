import * as z from 'zod';
import { CAPTCHA_VENDORS } from '../../challenges.ts';
import type { NamedLists } from '../../lists.ts';
import { RULE_LIMITS } from '../../rules.ts';
import type { AuditView } from '../audit.ts';
import { line, listEntry, namedLists, projectId, readLater, reason } from '../fields.ts';
import type { HealthView } from '../health.ts';
import type { OnboardingView } from '../onboarding.ts';
import type { Overview } from '../overview.ts';
import type { OriginTest, ProjectView, StepUpVendorView } from '../projects.ts';
import { json, NOTHING, routes, STREAM } from '../route.ts';
import type { SafetyView } from '../safety.ts';
import { PolicyChange, SETTINGS } from '../setting-schema.ts';
import { Rules } from './rules.ts';
import { SPAN_QUERY } from './span-query.ts';

const policy = PolicyChange.optional();
/** Older values of settings need not be what can be set now. */
const seen = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, readLater().optional()]));
const lists = namedLists(z.array(listEntry).max(RULE_LIMITS.listEntries));
const ProjectChange = z.strictObject({
  ...SETTINGS,
  policy,
  rules: Rules.optional(),
  namedLists: (lists as z.ZodType<NamedLists, NamedLists>).optional(),
  /**
   * Values that the caller saw; of the policy only some settings, as in a change. If one of them is different by now,
   * nothing is changed and the answer is 409.
   */
  expected: z.strictObject({ ...(seen as unknown as typeof SETTINGS), policy }).optional(),
  reason,
});
const NewProject = z.strictObject({
  name: line(100),
  id: projectId.optional(),
  allowedDomains: SETTINGS.allowedDomains,
  plan: SETTINGS.plan,
});

const StepUpVendor = z.strictObject({
  vendor: z.enum(CAPTCHA_VENDORS),
  siteKey: line(200),
  secret: line(400).optional(),
  away: z.enum(['flag', 'allow']).optional(),
});

const AUDIT_FILTERS = ['project', 'actor', 'action', 'from', 'to'] as const;

/** Projects with their settings, keys and figures, and what is about the whole service. */
export const PROJECT_ROUTES = routes({
  'GET /projects': {
    role: 'member',
    of: 'service',
    answer: json<ProjectView[]>(),
    what: 'all projects that you may see, with this month’s use',
  },
  'POST /projects': {
    role: 'admin',
    of: 'service',
    body: NewProject,
    answer: json<ProjectView>(),
    what: 'creates a project',
  },
  'GET /projects/:id': { role: 'viewer', answer: json<ProjectView>(), what: 'one project' },
  'PATCH /projects/:id': {
    role: 'admin',
    body: ProjectChange,
    answer: json<ProjectView>(),
    what: 'changes the [fields](#fields-of-a-project) that you name. Any other field is a 400 that names it. `policy.actions` changes the named checks only, `off` switches one off. `expected`: values of fields as you saw them, of `policy` those settings that you name; if one is different by now, nothing is changed and the answer is 409. `reason`: why, for the audit log and the history of the policy',
  },
  'POST /projects/:id/archive': {
    role: 'admin',
    answer: json<ProjectView>(),
    what: 'archives the project: it refuses all requests, and its data stays',
  },
  'POST /projects/:id/restore': {
    role: 'admin',
    answer: json<ProjectView>(),
    what: 'brings an archived project back',
  },
  'POST /projects/:id/origin-test': {
    role: 'viewer',
    body: z.strictObject({ origin: z.string(), allowedDomains: z.array(z.string()).readonly().optional() }),
    answer: json<OriginTest>(),
    what: 'which pattern lets the origin in; `warnings` names patterns that let in more than they seem to',
  },
  'GET /projects/:id/overview': {
    role: 'viewer',
    query: SPAN_QUERY,
    answer: json<Overview>(),
    what: 'counts by hour (up to three days) or by day of `timeZone` (such as `Europe/Berlin`; `UTC` by default), compared with the equally long span before. The span ends on a half hour, and an hour or day that is not complete has `partial`. Checks, signals, domains, countries, networks, keys, outcomes and percentiles, all from the [statistics](decisions/0009-statistics.md) of up to 400 days',
  },
  'GET /projects/:id/overview.csv': {
    role: 'viewer',
    query: SPAN_QUERY,
    answer: STREAM,
    what: 'the same, one line for each hour or day',
  },
  'GET /projects/:id/onboarding': {
    role: 'viewer',
    answer: json<OnboardingView>(),
    what: 'the steps from a new project to a protected form, each with `done`: `project`, `key`, `origin`, `snippet`, `validation`, `verdict`; and in `noForm` the keys whose script found no form on a page, until they are used',
  },
  'GET /projects/:id/safety': {
    role: 'viewer',
    answer: json<SafetyView>(),
    what: 'settings of the project and of the service that strangers could take advantage of: `items`, each with `safe`, `finding`, `fix` and `place`, the page or `environment` where it is changed',
  },
  'GET /projects/:id/step-up-vendor': {
    role: 'viewer',
    answer: json<StepUpVendorView>(),
    what: 'the account at a CAPTCHA vendor that `stepUp: vendor` uses, without its secret',
  },
  'POST /projects/:id/step-up-vendor': {
    role: 'admin',
    body: StepUpVendor,
    answer: json<StepUpVendorView>(),
    what: 'sets it. `away`: what happens while the vendor does not answer, `flag` or `allow`. The `secret` is encrypted and never shown or exported; without one, the last one stays',
  },
  'DELETE /projects/:id/step-up-vendor': {
    role: 'admin',
    answer: NOTHING,
    what: 'forgets it with its secret, unless the policy or a rule asks for it',
  },
  'GET /health': {
    role: 'member',
    of: 'service',
    answer: json<HealthView>(),
    what: 'the state of every part and feed, and what to do',
  },
  'GET /audit': {
    role: 'member',
    of: 'service',
    query: [...AUDIT_FILTERS, 'before', 'limit'],
    answer: json<AuditView>(),
    what: 'who changed what, in the projects that you may see',
  },
  'GET /audit.csv': {
    role: 'member',
    of: 'service',
    query: AUDIT_FILTERS,
    answer: STREAM,
    what: 'the same filters, every row',
  },
});
