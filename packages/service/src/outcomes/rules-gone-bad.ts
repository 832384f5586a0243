import { DAY_MS } from '@postern/contract';
import type { RuleGoneBadView } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import type { Project } from '../model/project.ts';
import type { Store } from '../store/store.ts';
import type { ValidationMarks } from '../store/tables/outcome-table.ts';
import { knownPeople, REPORT_LIMITS } from './known-people.ts';

/** A live rule that flags or blocks, although fewer of the people it hits are bad than of all. */
interface RuleGoneBad extends Pick<RuleGoneBadView, 'known' | 'bad' | 'baseRate'> {
  readonly rule: Rule;
}

const DAYS = 90;
/** With fewer known people than this, a share says nothing about a rule. */
const LEAST_KNOWN = 20;

/**
 * The rules whose share of bad people is below that of everybody, by its whole 95% interval. Only matches since a
 * rule’s last change count, so that a corrected rule starts from zero.
 */
export async function findRulesGoneBad(
  store: Pick<Store, 'outcomes'>,
  { id: projectId, rules }: Pick<Project, 'id' | 'rules'>,
  now: number,
): Promise<RuleGoneBad[]> {
  const strict = rules.filter(
    ({ mode, then, expiresAt }) =>
      mode === 'live' && then !== 'allow' && (expiresAt ?? Number.POSITIVE_INFINITY) > now,
  );
  if (strict.length === 0) return [];
  const changedAt = new Map(strict.map((rule) => [rule.id, rule.changedAt ?? 0]));
  const withCurrentRules = (marks: ValidationMarks) => ({
    ...marks,
    rules: marks.rules.filter((id) => marks.at >= (changedAt.get(id) ?? Number.POSITIVE_INFINITY)),
  });
  const span = { projectId, from: now - DAYS * DAY_MS, to: now + 1 };
  const people = await knownPeople(store, span, REPORT_LIMITS.knownPeople, withCurrentRules);
  const { rows, baseRate } = people.tally.report(people.outcomes);
  if (baseRate === null) return [];
  return strict.flatMap((rule) => {
    const row = rows.find(({ kind, name }) => kind === 'rule' && name === rule.id);
    if (row === undefined || row.known < LEAST_KNOWN || row.high === null || row.high >= baseRate) return [];
    return [{ rule, known: row.known, bad: row.bad, baseRate }];
  });
}
