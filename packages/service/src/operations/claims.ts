import { DAY_MS } from '@postern/contract';
import type { ClaimsView, ClaimView } from '@postern/contract/dashboard';
import type { ClaimRow } from '../store/tables/claim-table.ts';
import { type Administration, NotFound, quoted } from './administration.ts';
import { findProject } from './change-project.ts';
import { type DashboardHandlers, NO_CONTENT, ok, queryText } from './operation.ts';

const PAGE = 100;
const SUMMARY_DAYS = 30;

export const claimOperations = {
  'GET /projects/:id/claims': async (call) => {
    const { admin, params } = call;
    await findProject(admin, params.id);
    const page = { before: queryText(call, 'before') ?? null, limit: PAGE };
    const rows = await admin.store.claims.page(params.id, page);
    return ok({
      ...(await summarizeClaims(admin, params.id)),
      rows: rows.map(claimView),
      next: rows.length < PAGE ? null : (rows.at(-1)?.id ?? null),
    });
  },
  'POST /projects/:id/claims/:claimId/release': async ({ admin, params, body: { reason } }) => {
    const { id: project, claimId } = params;
    await findProject(admin, project);
    const row = await admin.store.claims.findGranted(project, claimId);
    if (row === undefined)
      throw new NotFound(`There is no granted claim ${quoted(claimId)} in this project.`);
    if (row.releasedAt !== null) return NO_CONTENT;
    const detail = { claimId, claim: row.claim, ...(reason !== undefined && { reason }) };
    return {
      write: admin.store.claims.release(project, claimId, admin.now()),
      note: [{ action: 'claim.release', project, detail }],
      answer: NO_CONTENT,
    };
  },
} satisfies Partial<DashboardHandlers>;

/** How often each claim was granted and refused in the last 30 days, in all and by day, and how those who were refused turned out. */
async function summarizeClaims(
  { store: { claims }, now }: Pick<Administration, 'store' | 'now'>,
  projectId: string,
): Promise<Pick<ClaimsView, 'summary' | 'days'>> {
  const since = (Math.floor(now() / DAY_MS) - SUMMARY_DAYS + 1) * DAY_MS;
  const [summary, days] = await Promise.all([
    claims.summary(projectId, since),
    claims.byDay(projectId, since),
  ]);
  const known = new Map(days.map((day) => [day.at, day]));
  const all = Array.from({ length: SUMMARY_DAYS }, (_, index) => since + index * DAY_MS);
  return { summary, days: all.map((at) => known.get(at) ?? { at, granted: 0, refused: 0 }) };
}

function claimView({
  id,
  claim,
  at,
  granted,
  maskedAddress,
  inbox,
  because,
  since,
  releasedAt,
}: ClaimRow): ClaimView {
  const row = { id, claim, at, granted: granted === 1, address: maskedAddress, person: inbox };
  return { ...row, because: [...because], since, releasedAt };
}
