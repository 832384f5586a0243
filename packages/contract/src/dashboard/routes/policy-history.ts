import * as z from 'zod';
import { reason } from '../fields.ts';
import type { PolicyHistoryView, PolicyVersionDetail, PolicyVersionView } from '../policy-history.ts';
import { json, routes } from '../route.ts';

/** The versions of a project’s policy and rules. */
export const POLICY_HISTORY_ROUTES = routes({
  'GET /projects/:id/policy-history': {
    role: 'viewer',
    query: ['before', 'limit'],
    answer: json<PolicyHistoryView>(),
    what: 'the versions of the policy and its rules, newest first: who saved each, when, why, and what changed since the one before, in words. A project keeps the newest 200',
  },
  'GET /projects/:id/policy-history/:version': {
    role: 'viewer',
    query: ['against'],
    answer: json<PolicyVersionDetail>(),
    what: 'one version with its policy and rules, and what changed since the version `against` (without it: since the one before)',
  },
  'POST /projects/:id/policy-history/:version/restore': {
    role: 'admin',
    body: z.strictObject({ reason }),
    answer: json<PolicyVersionView>(),
    what: 'saves that version’s policy and rules again, as a new version',
  },
});
