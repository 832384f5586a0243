import type { PolicyVersionView } from '@postern/contract/dashboard';
import { InvalidInput, withReason } from '../administration/administration.ts';
import {
  type ComparedVersion,
  findPolicyVersion,
  listPolicyVersions,
  restorePolicy,
} from '../administration/policy-history.ts';
import { memberNames } from './member-names.ts';
import { type DashboardHandlers, ok, queryNumber } from './operation.ts';

const ROWS = 20;
const MAX_ROWS = 50;
const MAX_NUMBER = 1_000_000_000;

/** The versions of a project’s policy and rules. */
export const policyHistoryRoutes = {
  'GET /projects/:id/policy-history': async (call) => {
    const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
    const before = queryNumber(call, 'before', 1, MAX_NUMBER);
    const { rows, next } = await listPolicyVersions(call.admin, call.params.id, limit, before);
    const names = await memberNames(call);
    return ok({ rows: rows.map((version) => viewOf(version, names)), next });
  },
  'GET /projects/:id/policy-history/:version': async (call) => {
    const { id, version } = call.params;
    const against = queryNumber(call, 'against', 1, MAX_NUMBER);
    const found = await findPolicyVersion(call.admin, id, numberOf(version), against);
    const { policy, rules } = found;
    return ok({ ...viewOf(found, await memberNames(call)), policy, rules: [...rules] });
  },
  'POST /projects/:id/policy-history/:version/restore': async (call) => {
    const { id, version } = call.params;
    const admin = withReason(call.admin, call.body.reason);
    const saved = await restorePolicy(admin, id, numberOf(version));
    return ok(viewOf(saved, await memberNames(call)));
  },
} satisfies Partial<DashboardHandlers>;

function numberOf(version: string): number {
  if (!/^[1-9]\d{0,8}$/.test(version))
    throw new InvalidInput('version', 'A version is a whole number, such as 3.');
  return Number(version);
}

function viewOf(
  { number, at, actor, reason, changes }: ComparedVersion,
  names: ReadonlyMap<string, string>,
): PolicyVersionView {
  return {
    version: number,
    at,
    by: actor,
    byName: names.get(actor) ?? null,
    reason,
    changes: [...changes],
  };
}
