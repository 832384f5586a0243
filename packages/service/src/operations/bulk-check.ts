import { setTimeout as sleep } from 'node:timers/promises';
import { type CheckName, type CheckResult, explainOwnDecision } from '@postern/contract';
import { BULK_BAD_IP, type BulkResult, type BulkRow } from '@postern/contract/dashboard';
import { createUseWatch } from '../events/quota-watch.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { monthlyQuota, type Project } from '../model/project.ts';
import { monthOf } from '../model/windows.ts';
import { parseWrittenIp } from '../model/written-ip.ts';
import type { Administration } from './administration.ts';
import {
  type AddressReport,
  type CheckAddressParts,
  type CheckAddressTerms,
  checkAddress,
} from './check-address.ts';

export interface BulkRun {
  readonly rows: readonly BulkRow[];
  readonly terms: CheckAddressTerms;
  readonly quota: BulkQuota;
  /** How many rows are checked at the same time. */
  readonly atOnce: number;
  /** The least time for `atOnce` rows, so that a long file leaves the processor to live requests. */
  readonly leastMs: number;
  /** Asked before each step. */
  readonly isStopped: () => boolean;
}

/** What the rows use of a project’s month. */
export interface BulkQuota {
  /** Uses up to that many validations and returns how many were left. */
  take(wanted: number): Promise<number>;
}

export interface CheckedRow {
  readonly index: number;
  readonly report: AddressReport;
}

/**
 * Checks rows in their order, a few at a time. Rows that are not addresses use no quota, like a request that is refused
 * with 400. Nothing is logged or remembered, and no history is read. Returns why it ended.
 */
export async function* checkRows(
  parts: CheckAddressParts,
  { rows, terms, quota, atOnce, leastMs, isStopped }: BulkRun,
): AsyncGenerator<CheckedRow[], 'done' | 'quota' | 'stopped'> {
  for (let start = 0; start < rows.length; start += atOnce) {
    if (isStopped()) return 'stopped';
    const pause = sleep(leastMs);
    const block = rows.slice(start, start + atOnce);
    const faults = block.map(faultOf);
    const valid = faults.filter((fault) => fault === undefined).length;
    const granted = valid === 0 ? 0 : await quota.take(valid);
    const affordable = granted < valid ? placeAfter(faults, granted) : block.length;
    const reports = await Promise.all(
      block
        .slice(0, affordable)
        .map((row, place) => faults[place] ?? checkAddress(parts, row.email, termsOf(terms, row))),
    );
    if (reports.length > 0) yield reports.map((report, place) => ({ index: start + place, report }));
    if (granted < valid) return 'quota';
    await pause;
  }
  return 'done';
}

/** The quota of a project, counted like requests of a server key. */
export function projectQuota(
  admin: Pick<Administration, 'store' | 'now' | 'plans'>,
  project: Project,
  onFault: (fault: unknown) => void,
): BulkQuota {
  const note = createUseWatch(admin.store.events, onFault);
  const limit = monthlyQuota(project, admin.plans);
  return {
    async take(wanted) {
      const now = admin.now();
      const request = { projectId: project.id, month: monthOf(now), wanted, limit };
      const { granted, used } = await admin.store.takeQuota(request);
      note({ projectId: project.id, used, limit, now });
      return granted;
    },
  };
}

export function bulkResult(report: AddressReport): Omit<BulkResult, 'index'> {
  if (!report.valid) return { recommendation: 'invalid', failed: [], reason: report.error };
  const failed = (Object.entries(report.checks) as [CheckName, CheckResult][]).filter(
    ([, { pass }]) => !pass,
  );
  const own = explainOwnDecision(report.signals, report.rule);
  const reasons = failed.map(([name, { error }]) => error ?? `The check ${name} failed`);
  return {
    recommendation: report.recommendation,
    failed: failed.map(([name]) => name),
    reason: [...(own === undefined ? [] : [own]), ...reasons].join('; '),
  };
}

/** Why a row cannot be checked, with the words of the API’s 400. */
function faultOf({ email, ip }: BulkRow): AddressReport | undefined {
  const invalid = (error: string): AddressReport => ({ address: email, valid: false, error });
  if (email.trim() === '') return invalid('Email address is required');
  if (parseEmailAddress(email.trim()) === undefined) return invalid('Invalid email format');
  if (ip !== '' && parseWrittenIp(ip) === undefined) return invalid(BULK_BAD_IP);
  return undefined;
}

function termsOf(terms: CheckAddressTerms, { ip }: BulkRow): CheckAddressTerms {
  return ip === '' ? terms : { ...terms, ip: parseWrittenIp(ip) };
}

/** The place of the first valid row that the quota does not cover. */
function placeAfter(faults: readonly (AddressReport | undefined)[], granted: number): number {
  let left = granted;
  return faults.findIndex((fault) => {
    if (fault !== undefined) return false;
    left -= 1;
    return left < 0;
  });
}
