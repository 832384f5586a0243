import { type Database, statement, text } from '../database.ts';
import type { LogDigest } from '../store.ts';
import { timePrefix } from '../timed-id.ts';

const ROWS_AT_ONCE = 2_000;
const DOMAINS_TOLD = 10;
/**
 * Attackers can make up any number of domains. Beyond this many, only domains that are already counted are counted
 * further.
 */
const DOMAINS_COUNTED = 20_000;

/**
 * Extracts the duration from a row’s facts, so that the other facts are not transferred. `find` is the back end’s
 * function.
 */
function latencyText(find: 'instr' | 'strpos'): string {
  return `substr(facts, ${find}(facts, '"latencyMs":') + 12, 20)`;
}

/**
 * Adds up the newest rows of a time span: what the hourly counts do not know. It reads them in portions, so that
 * neither the database connection nor this thread is blocked for long.
 */
export function logDigest(database: Database, find: 'instr' | 'strpos') {
  const portion = `SELECT id, recommendation, marks, ${latencyText(find)} AS latency FROM validation_log
    WHERE project_id = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ${ROWS_AT_ONCE}`;
  return async (projectId: string, from: number, to: number, maxRows: number): Promise<LogDigest> => {
    const tally = createTally();
    const first = timePrefix(from);
    let before = timePrefix(to);
    let rows = 0;
    for (;;) {
      const found = await database.browse(statement(portion, projectId, first, before));
      for (const row of found) {
        tally.add(text(row, 'recommendation'), text(row, 'marks'), Number.parseFloat(text(row, 'latency')));
      }
      rows += found.length;
      const last = found.at(-1);
      if (last === undefined || found.length < ROWS_AT_ONCE) return tally.digest(false);
      if (rows >= maxRows) return tally.digest(true);
      before = text(last, 'id');
    }
  };
}

function createTally() {
  const checks = new Map<string, number>();
  const signals = new Map<string, number>();
  const domains = new Map<string, { count: number; blocked: number }>();
  const latencies: number[] = [];
  const bump = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const addDomain = (domain: string, blocked: boolean) => {
    const known = domains.get(domain) ?? { count: 0, blocked: 0 };
    known.count += 1;
    if (blocked) known.blocked += 1;
    if (domains.size < DOMAINS_COUNTED) domains.set(domain, known);
  };

  return {
    add(recommendation: string, marks: string, latency: number): void {
      // Test keys are left out, as in the hourly counts.
      if (marks.includes(' mode:test ')) return;
      latencies.push(latency);
      for (const mark of new Set(marks.split(' '))) {
        if (mark.startsWith('check:')) bump(checks, mark.slice(6));
        else if (mark.startsWith('signal:')) bump(signals, mark.slice(7));
        else if (mark.startsWith('domain:')) addDomain(mark.slice(7), recommendation === 'block');
      }
    },
    digest(partial: boolean): LogDigest {
      const sorted = Float64Array.from(latencies).sort();
      const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
      return {
        rows: sorted.length,
        partial,
        checks: descending(checks),
        signals: descending(signals),
        domains: [...domains]
          .map(([domain, counts]) => ({ domain, ...counts }))
          .sort((one, other) => other.count - one.count || (one.domain < other.domain ? -1 : 1))
          .slice(0, DOMAINS_TOLD),
        latencyMs: sorted.length === 0 ? null : { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
      };
    },
  };
}

function descending(counts: ReadonlyMap<string, number>): { name: string; count: number }[] {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}
