import type { OutcomeReportView } from '@postern/contract/dashboard';
import { DEFAULT_REPORT_DAYS, importOutcomes, reportOutcomes } from '../administration/outcomes.ts';
import { findProject } from '../administration/projects.ts';
import { readOutcomeFile } from '../administration/read-outcome-file.ts';
import { findRulesGoneBad } from '../outcomes/rules-gone-bad.ts';
import { nearlyKnown, suggestChanges, suggestLoosening } from '../outcomes/suggestions.ts';
import { type DashboardHandlers, ok, queryNumber, type RouteCall } from './operation.ts';

export interface OutcomeRouteParts {
  /** An outcome counts for people who were last seen within this time. */
  readonly outcomeRetentionMs: number;
}

export function outcomeRoutes({ outcomeRetentionMs }: OutcomeRouteParts) {
  return {
    'POST /projects/:id/outcomes/import': async (call) => {
      const { file } = call.body;
      const outcomes = readOutcomeFile(file, call.admin.now());
      const done = await importOutcomes(call.admin, call.params.id, outcomes, outcomeRetentionMs);
      return ok({ recorded: done.recorded, unknownLines: [...done.unknownLines] });
    },
  } satisfies Partial<DashboardHandlers>;
}

export const outcomeOperations = {
  'GET /projects/:id/outcomes': async (call) => ok(await call.longReads(() => report(call))),
} satisfies Partial<DashboardHandlers>;

async function report(call: RouteCall<'GET /projects/:id/outcomes'>): Promise<OutcomeReportView> {
  const days = queryNumber(call, 'days', 1, 400) ?? DEFAULT_REPORT_DAYS;
  const project = await findProject(call.admin, call.params.id);
  const { effects, rows, ...facts } = await reportOutcomes(call.admin, project.id, days);
  const suggestions = suggestChanges(effects, facts.policy, project.policy, days);
  const goneBad = await findRulesGoneBad(call.admin.store, project, call.admin.now());
  const rulesGoneBad = goneBad.map(({ rule: { id, name, then }, known, bad, baseRate }) => ({
    id,
    name,
    then: then === 'block' ? ('block' as const) : ('flag' as const),
    known,
    bad,
    baseRate,
  }));
  return {
    ...facts,
    rows: [...rows],
    suggestions,
    loosening: suggestLoosening(rows, facts.baseRate, project.policy),
    nearlyKnown: nearlyKnown(effects, facts.policy, project.policy),
    rulesGoneBad,
  };
}
