import { proposeRules } from '../administration/propose-rules.ts';
import { type DashboardHandlers, ok } from '../operations/operation.ts';
import type { LongReadParts } from './validations.ts';

/** Rules that the outcomes support. */
export function proposalRoutes({ longReads }: LongReadParts) {
  return {
    'GET /projects/:id/rule-proposals': async ({ admin, params }) => {
      const { proposals, ...totals } = await proposeRules(admin, params.id, longReads);
      return ok({
        ...totals,
        proposals: proposals.map((proposal) => ({ ...proposal, conditions: [...proposal.conditions] })),
      });
    },
  } satisfies Partial<DashboardHandlers>;
}
