import type { RuleFault } from '@postern/contract/dashboard';
import { Rules, WholeRule } from '@postern/contract/dashboard-routes';
import type { NamedLists } from '@postern/contract/project-fields';
import type { Rule } from '@postern/contract/rules';
import * as z from 'zod';
import { faultAt, readExpression } from '../decision/rules/read-expression.ts';
import type { DumpRow } from '../store/administered-store.ts';
import { type Administration, InvalidInput, quoted } from './administration.ts';
import { readBody } from './read-body.ts';

/** Says of all rules that are at fault what is wrong. */
function refuseRules(rules: readonly Rule[], refuse: (rule: Rule) => void): void {
  const faults = rules.flatMap((rule, index) => {
    try {
      refuse(rule);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const text = `Rule ${index + 1} (${rule.id}): ${error.message}`;
      return [new InvalidInput(`rules[${index}].${error.field}`, text, error.place)];
    }
  });
  const [first] = faults;
  if (first !== undefined)
    throw new InvalidInput(first.field, faults.map(({ message }) => message).join(' '), first.place);
}

/** One rule in the form that the store keeps. */
export const readRule = (rule: unknown): Rule => storedRule(readBody(WholeRule, rule) as Rule);

/** Without what is empty. */
export const storedRule = ({ id, name, when, then, mode = 'live', ...more }: Rule): Rule => ({
  ...{ id, name, when, then, mode },
  ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null && value !== '')),
});

/** The named lists that a condition asks. */
export function listsIn(when: string): string[] {
  const read = readExpression(when);
  return read.ok ? [...read.expression.use.lists.keys()] : [];
}

/** A condition that names a list which does not exist could never match. */
export function missingList(when: string, lists: NamedLists): RuleFault | undefined {
  const read = readExpression(when);
  if (!read.ok) return undefined;
  for (const [name, start] of read.expression.use.lists) {
    if (Object.hasOwn(lists, name)) continue;
    const names = Object.keys(lists);
    const expected =
      names.length === 0
        ? 'The project has no lists yet; create it first.'
        : `Expected one of ${names.join(', ')}.`;
    return faultAt(when, start, `There is no list ${quoted(name)}. ${expected}`);
  }
  return undefined;
}

export function refuseMissingList(when: string, lists: NamedLists): void {
  const fault = missingList(when, lists);
  if (fault === undefined) return;
  const { line, column, message } = fault;
  throw new InvalidInput('when', `Line ${line}, column ${column}: ${message}`, { line, column });
}

export function refuseMissingLists(rules: readonly Rule[], lists: NamedLists): void {
  refuseRules(rules, ({ when }) => refuseMissingList(when, lists));
}

/** A rule that has ended never matches, so an end that is given now is later than now. */
export function refusePastEnd({ expiresAt }: Pick<Rule, 'expiresAt'>, now: number): void {
  if (expiresAt === undefined || expiresAt > now) return;
  throw new InvalidInput(
    'expiresAt',
    `The end (expiresAt) ${momentText(expiresAt)} is in the past, so the rule would never match. It is now ${momentText(now)}. Give a later time, or none.`,
  );
}

/** The same for several rules. One that had ended already can stay as it is. */
export function refusePastEnds(rules: readonly Rule[], before: readonly Rule[], now: number): void {
  refuseRules(rules, (rule) => {
    if (!before.some(({ id, expiresAt }) => id === rule.id && expiresAt === rule.expiresAt))
      refusePastEnd(rule, now);
  });
}

/** Beyond the year 275760 there are no dates. */
function momentText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}

/**
 * Says when a rule was created, and when it was changed and by whom. One that stays as it was keeps what it says. One
 * that comes back from an earlier version of the policy keeps the time of its creation.
 */
export function withChange(
  rules: readonly Rule[],
  before: readonly Rule[],
  { now, actor }: Pick<Administration, 'now' | 'actor'>,
): Rule[] {
  const earlier = new Map(before.map((rule) => [rule.id, rule]));
  return rules.map(({ createdAt: given, ...rule }) => {
    const same = earlier.get(rule.id);
    if (same !== undefined && contentOf(same) === contentOf(rule)) return same;
    const createdAt = same === undefined ? Math.min(given ?? now(), now()) : same.createdAt;
    return { ...rule, ...(createdAt !== undefined && { createdAt }), changedAt: now(), changedBy: actor };
  });
}

const contentOf = ({ createdAt: _new, changedAt: _at, changedBy: _by, ...rule }: Rule) =>
  JSON.stringify(Object.entries(rule).sort());

/** Refuses a project of an export whose rules could not be saved. A rule that cannot be read would never match. */
export function checkImportedRow({ table, row }: DumpRow): void {
  if (table !== 'project') return;
  const { rules } = readBody(z.strictObject({ rules: Rules }), { rules: parsed(row.rules) ?? [] });
  refuseMissingLists(rules, (parsed(row.named_lists) ?? {}) as NamedLists);
}

/** JSON is a text in the export, whichever store wrote it. */
function parsed(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}
