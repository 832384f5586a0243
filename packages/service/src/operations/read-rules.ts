import type { RuleFault } from '@postern/contract/dashboard';
import { RULE_FIELDS } from '@postern/contract/dashboard-routes';
import type { NamedLists } from '@postern/contract/project-fields';
import { RULE_ID, RULE_LIMITS, type Rule } from '@postern/contract/rules';
import * as z from 'zod';
import { faultAt, readExpression } from '../decision/rules/read-expression.ts';
import type { DumpRow } from '../store/administered-store.ts';
import { type Administration, InvalidInput, quoted, refuseUnlessObject } from './administration.ts';
import { readBody } from './read-body.ts';

/** The rules in the form that the store keeps. Throws the first fault. */
export function readRules(rules: unknown): Rule[] {
  if (!Array.isArray(rules)) throw new InvalidInput('rules', 'rules must be a list.');
  if (rules.length > RULE_LIMITS.rules)
    throw new InvalidInput('rules', `A project has at most ${RULE_LIMITS.rules} rules; got ${rules.length}.`);
  const read = rules.map((rule, index) => namingRule(rule, index, () => readRule(rule)));
  const ids = new Set<string>();
  for (const { id } of read) {
    if (ids.has(id)) throw new InvalidInput('id', `There are two rules with the ID ${quoted(id)}.`);
    ids.add(id);
  }
  refuseTooManySteps(read);
  return read;
}

function refuseTooManySteps(rules: readonly Rule[]): void {
  const steps = rules.map(({ when }) => {
    const read = readExpression(when);
    return read.ok ? read.expression.steps : 0;
  });
  const all = steps.reduce((sum, each) => sum + each, 0);
  if (all <= RULE_LIMITS.stepsOfAll) return;
  const most = steps.indexOf(Math.max(...steps));
  throw new InvalidInput(
    'rules',
    `All rules together may take at most ${RULE_LIMITS.stepsOfAll} steps; these may take ${all}. The rule ${quoted(rules[most]?.id)} alone may take ${steps[most]}: use a named list instead of a long one, and exists on short lists only.`,
  );
}

/** Says which of several rules is at fault. */
function namingRule<T>(rule: unknown, index: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const id = (rule as Partial<Rule> | null)?.id;
    const name = typeof id === 'string' && RULE_ID.test(id) ? ` (${id})` : '';
    const field = error.field === 'rules' ? `rules[${index}]` : `rules[${index}].${error.field}`;
    throw new InvalidInput(field, `Rule ${index + 1}${name}: ${error.message}`, error.place);
  }
}

/** A rule as a whole, as it is kept. */
const WholeRule = z.strictObject({
  ...RULE_FIELDS,
  id: z.string().regex(RULE_ID).meta({ expected: '1 to 40 of a-z, 0-9 and _' }),
  createdAt: z.number().exactOptional(),
  changedAt: z.number().exactOptional(),
  changedBy: z.string().exactOptional(),
});

/** One rule in the form that the store keeps. */
export function readRule(rule: unknown): Rule {
  refuseUnlessObject('rules', rule);
  const { id, name, when, then, mode = 'live', ...fields } = readBody(WholeRule, rule);
  const { stepUp, note, message, expiresAt, ...saved } = fields;
  if (isGiven(stepUp) && then !== 'flag')
    throw new InvalidInput(
      'stepUp',
      'Only a rule whose answer (then) is flag can ask for something (stepUp).',
    );
  return {
    id,
    name,
    when: readWhen(when),
    then,
    mode,
    ...(isGiven(stepUp) && { stepUp }),
    ...(isGiven(note) && { note }),
    ...(isGiven(message) && { message }),
    ...(isGiven(expiresAt) && { expiresAt }),
    ...saved,
  };
}

const isGiven = <T>(value: T | null | undefined | ''): value is T =>
  value !== undefined && value !== null && value !== '';

/** A fault says where it is. */
export function readWhen(when: unknown): string {
  if (typeof when !== 'string' || when.trim() === '')
    throw new InvalidInput('when', 'when must be an expression, such as ip.country == "DE".');
  const read = readExpression(when);
  if (read.ok) return when;
  throw atPlace(read.fault);
}

const atPlace = ({ line, column, message }: RuleFault) =>
  new InvalidInput('when', `Line ${line}, column ${column}: ${message}`, { line, column });

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
  if (fault !== undefined) throw atPlace(fault);
}

export function refuseMissingLists(rules: readonly Rule[], lists: NamedLists): void {
  for (const [index, rule] of rules.entries())
    namingRule(rule, index, () => refuseMissingList(rule.when, lists));
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
  for (const [index, rule] of rules.entries())
    if (!before.some(({ id, expiresAt }) => id === rule.id && expiresAt === rule.expiresAt))
      namingRule(rule, index, () => refusePastEnd(rule, now));
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
  const rules = readRules(parsed(row.rules) ?? []);
  refuseMissingLists(rules, (parsed(row.named_lists) ?? {}) as NamedLists);
}

/** JSON is a text in the export, whichever store wrote it. */
function parsed(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}
