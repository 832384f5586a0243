import { DAY_MS } from '@postern/contract';
import type { RuleDetail, RuleFigures, RuleFiguresView } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import type { OutcomeReport } from '../outcomes/outcome-report.ts';
import type { Counts } from '../store/statistics/counts.ts';
import { SLOT_MS, slotOf } from '../store/statistics/statistics-words.ts';
import type { Slot } from '../store/tables/statistics-table.ts';
import type { Administration } from './administration.ts';
import { findProject } from './change-project.ts';
import { queryNumber, type RouteCall } from './operation.ts';
import { reportOutcomes } from './outcomes.ts';
import { spanOf, type TimeSpan } from './time-span.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;

/** How each rule of the project did. */
export async function ruleFigures(
  call: RouteCall<'GET /projects/:id/rule-figures'>,
): Promise<RuleFiguresView> {
  const { admin } = call;
  const days = queryNumber(call, 'days', 1, MAX_DAYS) ?? DEFAULT_DAYS;
  const { id, rules } = await findProject(admin, call.params.id);
  if (rules.length === 0) return { days, baseRate: null, rules: [] };
  const to = admin.now() + 1;
  const slots = await readMatches(admin, id, rules, slotOf(to - days * DAY_MS), to);
  const report = await reportOutcomes(admin, id, days);
  return { days, baseRate: report.baseRate, rules: await figuresOf(admin, id, rules, slots, report) };
}

/** One rule, with its matches over a time. */
export async function ruleDetail(
  call: RouteCall<'GET /projects/:id/rules/:rule'>,
  rule: Rule,
): Promise<Omit<RuleDetail, 'rule'>> {
  const { admin, params } = call;
  const project = await findProject(admin, params.id);
  const span = spanOf(call, admin.now());
  const { from, to, timeZone, bucketMs } = span;
  const slots = await readMatches(admin, project.id, [rule], from, to);
  const days = Math.max(1, Math.ceil((admin.now() - from) / DAY_MS));
  const report = await reportOutcomes(admin, project.id, Math.min(days, MAX_DAYS));
  const [figures] = await figuresOf(admin, project.id, [rule], slots, report);
  if (figures === undefined) throw new Error('A rule has no figures');
  return {
    place: project.rules.findIndex(({ id }) => id === rule.id) + 1,
    baseRate: report.baseRate,
    figures,
    from,
    to,
    timeZone,
    bucketMs,
    series: seriesOf(slots, rule.id, span),
  };
}

const wordsOf = ({ id }: Pick<Rule, 'id'>) => [`rule:${id}`, `shadow:${id}`] as const;

/** Only the half hours in which one of the rules matched, with nothing but their words. */
async function readMatches(
  { store }: Administration,
  projectId: string,
  rules: readonly Rule[],
  from: number,
  to: number,
): Promise<Slot[]> {
  const found: Slot[] = [];
  for await (const portion of store.statistics.read(projectId, from, to))
    for (const { at, counts } of portion) {
      const own: Counts = new Map();
      for (const rule of rules) {
        const first = slotOf(rule.createdAt ?? 0);
        if (at < first) continue;
        const matches = wordsOf(rule).map((word) => [word, counts.get(word) ?? 0] as const);
        if (matches.every(([, count]) => count === 0)) continue;
        const since = at === first ? await matchesSince(store, projectId, rule, at + SLOT_MS) : undefined;
        for (const [word, count] of since ?? matches) if (count > 0) own.set(word, count);
      }
      if (own.size > 0) found.push({ at, counts: own });
    }
  return found;
}

const ROWS_AT_ONCE = 200;

/**
 * In the half hour in which a rule was created, a deleted rule with the same ID may have matched too. The log tells
 * them apart. `undefined` if it cannot, because its rows are gone or there are too many.
 */
async function matchesSince(
  { log }: Administration['store'],
  projectId: string,
  { id, createdAt = 0 }: Rule,
  to: number,
): Promise<(readonly [word: string, count: number])[] | undefined> {
  if (((await log.oldestAt(projectId)) ?? to) > createdAt) return undefined;
  const filter = { rule: id, mode: 'live', from: createdAt, to } as const;
  const { rows, next } = await log.page(projectId, filter, ROWS_AT_ONCE, null);
  if (next !== null) return undefined;
  const live = rows.filter(({ rules }) => rules.includes(id)).length;
  const [liveWord, shadowWord] = wordsOf({ id });
  return [
    [liveWord, live],
    [shadowWord, rows.length - live],
  ];
}

async function figuresOf(
  admin: Administration,
  projectId: string,
  rules: readonly Rule[],
  slots: readonly Slot[],
  report: OutcomeReport,
): Promise<RuleFigures[]> {
  const figures: RuleFigures[] = [];
  for (const rule of rules) {
    const matches = slots.reduce((sum, { counts }) => sum + sumOf(counts, rule), 0);
    const last = slots.findLast(({ counts }) => sumOf(counts, rule) > 0)?.at;
    const row = report.rows.find(({ kind, name }) => kind === 'rule' && name === rule.id);
    figures.push({
      id: rule.id,
      matches,
      lastAt: last === undefined ? null : await lastMatch(admin, projectId, rule, last),
      people: row?.people ?? 0,
      known: row?.known ?? 0,
      bad: row?.bad ?? 0,
      share: row?.share ?? null,
      low: row?.low ?? null,
      high: row?.high ?? null,
      lift: row?.lift ?? null,
    });
  }
  return figures;
}

const sumOf = (counts: Counts, rule: Rule) =>
  wordsOf(rule).reduce((sum, word) => sum + (counts.get(word) ?? 0), 0);

/** The log knows the moment; the statistics, which are kept longer, only the half hour. */
async function lastMatch(
  { store }: Administration,
  projectId: string,
  { id, createdAt = 0 }: Rule,
  slot: number,
): Promise<number> {
  const from = Math.max(slot, createdAt);
  const filter = { rule: id, mode: 'live', from, to: slot + SLOT_MS } as const;
  const { rows } = await store.log.page(projectId, filter, 1, null);
  return rows[0]?.at ?? slot;
}

function seriesOf(
  slots: readonly Slot[],
  id: string,
  { starts, partial, to }: TimeSpan,
): RuleDetail['series'] {
  const [live, shadow] = wordsOf({ id });
  return starts.map((at, index) => {
    const until = starts[index + 1] ?? to;
    const own = slots.filter((slot) => slot.at >= at && slot.at < until);
    const sum = (word: string) => own.reduce((total, { counts }) => total + (counts.get(word) ?? 0), 0);
    return { at, until, partial: partial[index] ?? false, live: sum(live), shadow: sum(shadow) };
  });
}
