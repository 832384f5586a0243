import { DAY_MS } from '@postern/contract';
import type { ClaimDay, ClaimRow, ClaimSummary } from '../store/tables/claim-table.ts';
import { type Administration, NotFound, quoted } from './administration.ts';
import { findProject } from './change-project.ts';
import { perform } from './perform.ts';

export interface ClaimsPage {
  readonly claims: readonly ClaimRow[];
  /** Pass it on for the next page; `null` at the end. */
  readonly next: string | null;
}

const PAGE = 100;
const SUMMARY_DAYS = 30;

/** Newest first. */
export async function listClaims(
  admin: Pick<Administration, 'store'>,
  projectId: string,
  before: string | null = null,
  limit = PAGE,
): Promise<ClaimsPage> {
  await findProject(admin, projectId);
  const claims = await admin.store.claims.page(projectId, { before, limit });
  return { claims, next: claims.length < limit ? null : (claims.at(-1)?.id ?? null) };
}

/** How often each claim was granted and refused in the last 30 days, in all and by day, and how those who were refused turned out. */
export async function summarizeClaims(
  admin: Pick<Administration, 'store' | 'now'>,
  projectId: string,
): Promise<{ readonly summary: ClaimSummary[]; readonly days: ClaimDay[] }> {
  await findProject(admin, projectId);
  const { claims } = admin.store;
  const today = Math.floor(admin.now() / DAY_MS);
  const since = (today - SUMMARY_DAYS + 1) * DAY_MS;
  const [summary, days] = await Promise.all([
    claims.summary(projectId, since),
    claims.byDay(projectId, since),
  ]);
  const known = new Map(days.map((day) => [day.at, day]));
  const all = Array.from({ length: SUMMARY_DAYS }, (_, index) => since + index * DAY_MS);
  return { summary, days: all.map((at) => known.get(at) ?? { at, granted: 0, refused: 0 }) };
}

/** Gives a granted claim back: the person can claim it again. */
export async function releaseClaim(admin: Administration, projectId: string, id: string): Promise<ClaimRow> {
  await findProject(admin, projectId);
  const { claims } = admin.store;
  return perform(admin, async () => {
    const row = await claims.findGranted(projectId, id);
    if (row === undefined) throw new NotFound(`There is no granted claim ${quoted(id)} in this project.`);
    if (row.releasedAt !== null) return { write: [], note: [], answer: row };
    return {
      write: claims.release(projectId, id, admin.now()),
      note: [{ action: 'claim.release', project: projectId, detail: { claimId: id, claim: row.claim } }],
      answer: row,
    };
  });
}
