import { csvLine } from '@postern/contract/csv';
import type { PersonJudgement, ValidationPage } from '@postern/contract/dashboard';
import { InvalidInput, NotFound } from '../administration/administration.ts';
import { judgementOf } from '../administration/judgements.ts';
import { findProject } from '../administration/projects.ts';
import type { Checks } from '../checks/run-checks.ts';
import { readLoggedChecks } from '../record/json/checks-json.ts';
import type { LogRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import type { LogStore } from '../store/tables/log-table.ts';
import { mayRead } from './access.ts';
import type { ConcurrencyLimit } from './auth/concurrency-limit.ts';
import type { LiveTail } from './live-tail.ts';
import { filterOf } from './read-log-filter.ts';
import {
  csv,
  type DashboardCall,
  type DashboardHandlers,
  memberOf,
  ok,
  queryNumber,
  queryText,
  streamed,
} from './route.ts';
import { validationDetail, validationRow } from './validation-row.ts';

export interface LongReadParts {
  /** Long reads of the log run one at a time and in portions, so that requests can run in between. */
  readonly longReads: ConcurrencyLimit;
}

export interface ValidationParts extends LongReadParts {
  readonly checks: Checks;
  readonly tail: Pick<LiveTail, 'watch'>;
}

const PAGE_ROWS = 50;
const MAX_PAGE_ROWS = 200;
/**
 * A filter that matches few rows has to read many. After this time the rows found so far are returned, with a cursor.
 */
const SEARCH_BUDGET_MS = 150;
/** The same for the newest rows of a page that shows more than the log. */
export const PAGE_BUDGET_MS = 100;
const EXPORT_ROWS_AT_ONCE = 500;
const ROW_ID = /^[0-9a-z]{9,64}$/;

export function validationRoutes({ checks, longReads, tail }: ValidationParts) {
  return {
    'GET /projects/:id/validations': async (call) => {
      const project = await findProject(call.admin, call.params.id);
      const limit = queryNumber(call, 'limit', 1, MAX_PAGE_ROWS) ?? PAGE_ROWS;
      const { log } = call.admin.store;
      const found = await search(log, project.id, filterOf(call), limit, cursorOf(call), call.admin.now);
      const page: ValidationPage = { rows: found.rows.map(validationRow), next: found.next };
      return ok(page);
    },
    'GET /projects/:id/validations.csv': async (call) => {
      const project = await findProject(call.admin, call.params.id);
      const lines = exported(call.admin.store, project.id, filterOf(call), longReads);
      return csv(`validations-${project.id}`, lines);
    },
    'GET /projects/:id/validations/live': async (call) => {
      const project = await findProject(call.admin, call.params.id);
      const after = call.caller.lastEventId ?? queryText(call, 'after');
      if (after !== undefined && !ROW_ID.test(after))
        throw new InvalidInput('after', 'after must be the ID of a row.');
      const { members } = call.admin.store;
      const memberId = memberOf(call).id;
      const watcher = {
        memberId,
        mayRead: async () => {
          const member = await members.find(memberId);
          return member !== undefined && mayRead(member, project.id);
        },
      };
      return streamed(tail.watch(project.id, filterOf(call), after, watcher), {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'X-Accel-Buffering': 'no',
      });
    },
    'GET /projects/:id/validations/:validationId': async (call) => {
      const id = call.params.validationId;
      const row = await call.admin.store.log.find(call.params.id, id);
      if (row === undefined)
        throw new NotFound('There is no such validation. Old ones are deleted from the log.');
      const outcome = await call.admin.store.outcomes.find(row.projectId, row.inboxHash);
      return ok(validationDetail(row, checks, judgementOf(outcome)));
    },
  } satisfies Partial<DashboardHandlers>;
}

/** Continues until the page is full, the log ends or the time is up. */
export async function search(
  log: Pick<LogStore, 'page'>,
  projectId: string,
  filter: LogFilter,
  limit: number,
  from: string | null,
  now: () => number,
  budgetMs = SEARCH_BUDGET_MS,
): Promise<{ rows: LogRow[]; next: string | null }> {
  const started = now();
  const rows: LogRow[] = [];
  let cursor = from;
  for (;;) {
    const page = await log.page(projectId, filter, limit - rows.length, cursor);
    rows.push(...page.rows);
    cursor = page.next;
    if (cursor === null || rows.length >= limit || now() - started > budgetMs) return { rows, next: cursor };
  }
}

async function* exported(
  { log, outcomes }: DashboardCall['admin']['store'],
  projectId: string,
  filter: LogFilter,
  longReads: ConcurrencyLimit,
): AsyncGenerator<string> {
  yield csvLine([
    'time',
    'request',
    'mode',
    'key',
    'address',
    'domain',
    'network',
    'country',
    'asn',
    'operator',
    'recommendation',
    'failed',
    'signals',
    'device',
    'inbox',
    'sdk',
    'latencyMs',
    'outcome',
  ]);
  let cursor: string | null = null;
  do {
    const from: string | null = cursor;
    const { next, lines } = await longReads(async () => {
      const page = await log.page(projectId, filter, EXPORT_ROWS_AT_ONCE, from);
      const people = [...new Set(page.rows.map(({ inboxHash }) => inboxHash))];
      const outcomeOf = await outcomes.findMany(projectId, people);
      const lines = page.rows.map((row) => rowLine(row, judgementOf(outcomeOf.get(row.inboxHash))));
      return { next: page.next, lines: lines.join('') };
    });
    cursor = next;
    if (lines !== '') yield lines;
  } while (cursor !== null);
}

function rowLine(row: LogRow, judgement: PersonJudgement | null): string {
  const operator = readLoggedChecks(row.checksJson).ip?.metadata?.network;
  return csvLine([
    new Date(row.at).toISOString(),
    row.requestId,
    row.mode,
    row.keyType,
    row.maskedAddress,
    row.domain,
    row.maskedIp ?? '',
    row.country ?? '',
    row.asn === null ? '' : String(row.asn),
    typeof operator === 'string' ? operator : '',
    row.recommendation,
    row.failed.join(' '),
    row.signals.join(' '),
    row.deviceHash ?? '',
    row.inboxHash,
    row.sdkVersion ?? '',
    String(row.latencyMs),
    judgement?.outcome ?? '',
  ]);
}

function cursorOf(call: DashboardCall<never, 'cursor'>): string | null {
  const cursor = queryText(call, 'cursor') ?? null;
  if (cursor !== null && !/^[0-9a-z~-]{1,64}$/.test(cursor))
    throw new InvalidInput('cursor', 'cursor must be the value of next from the previous page.');
  return cursor;
}
