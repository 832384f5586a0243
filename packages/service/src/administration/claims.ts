import { DAY_MS } from '@postern/contract';
import type { ClaimRow, ClaimSummary } from '../store/tables/claim-table.ts';
import { type Administration, audit, NotFound, quoted } from './administration.ts';
import { findProject } from './projects.ts';

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

/** How often each claim was granted and refused in the last 30 days, and how those who were refused turned out. */
export async function summarizeClaims(
  admin: Pick<Administration, 'store' | 'now'>,
  projectId: string,
): Promise<ClaimSummary[]> {
  await findProject(admin, projectId);
  return admin.store.claims.summary(projectId, admin.now() - SUMMARY_DAYS * DAY_MS);
}

/** Gives a granted claim back: the person can claim it again. */
export async function releaseClaim(admin: Administration, projectId: string, id: string): Promise<ClaimRow> {
  await findProject(admin, projectId);
  const released = await admin.store.claims.release(projectId, id, admin.now());
  if (released === undefined) throw new NotFound(`There is no granted claim ${quoted(id)} in this project.`);
  const reason = admin.reason === undefined ? {} : { reason: admin.reason };
  await audit(admin, 'claim.release', projectId, { claimId: id, claim: released.claim, ...reason });
  return released;
}
