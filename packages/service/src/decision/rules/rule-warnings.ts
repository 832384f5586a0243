import type { ASTNode } from '@marcbachmann/cel-js';
import type { RuleFault } from '@postern/contract/dashboard';
import { FACT_VALUES } from '@postern/contract/rule-values';
import { mostLike } from './explain-types.ts';
import { faultAt, readExpression } from './read-expression.ts';
import { descendantsOf } from './rule-cost.ts';

const EQUALITIES: readonly string[] = ['==', '!='];

/**
 * Values that a fact never has, such as `ip.country == "uk"`. Such a condition is right, but it does not say what its
 * author means.
 */
export function ruleWarnings(source: string): RuleFault[] {
  const read = readExpression(source);
  if (!read.ok) return [];
  const compared = [read.expression.ast, ...descendantsOf(read.expression.ast)].flatMap(comparisons);
  return compared.flatMap(({ fact, value, start }) => {
    const advice = adviceFor(fact, value);
    return advice === undefined ? [] : [faultAt(source, start, advice)];
  });
}

interface Comparison {
  readonly fact: string;
  readonly value: string | number;
  readonly start: number;
}

/** `fact == value`, `fact in [value]` and `value in fact`. */
function comparisons(node: ASTNode): Comparison[] {
  if (EQUALITIES.includes(node.op) || node.op === 'in') {
    const [left, right] = node.args as readonly [ASTNode, ASTNode];
    if (node.op === 'in' && right.op === 'list') return right.args.flatMap((each) => comparison(left, each));
    return [...comparison(left, right), ...comparison(right, left)];
  }
  return [];
}

function comparison(fact: ASTNode, value: ASTNode): Comparison[] {
  const name = nameOf(fact);
  if (name === undefined || value.op !== 'value') return [];
  const { args, start } = value;
  if (typeof args === 'string') return [{ fact: name, value: args, start }];
  return typeof args === 'bigint' ? [{ fact: name, value: Number(args), start }] : [];
}

function nameOf(node: ASTNode): string | undefined {
  if (node.op === 'id') return node.args;
  return node.op === '.' && node.args[0].op === 'id' ? `${node.args[0].args}.${node.args[1]}` : undefined;
}

function adviceFor(fact: string, value: string | number): string | undefined {
  if (typeof value === 'number') return adviceForNumber(fact, value);
  // A fact that is missing is empty.
  if (value === '') return undefined;
  if (fact === 'ip.country') return adviceForCountry(value);
  if (fact === 'email.domain' || fact === 'email.registrable' || fact === 'email.tld')
    return adviceForDomain(fact, value);
  if (!Object.hasOwn(FACT_VALUES, fact)) return undefined;
  const values: readonly string[] = FACT_VALUES[fact as keyof typeof FACT_VALUES];
  if (values.includes(value)) return undefined;
  const like = values.find((each) => each.startsWith(value)) ?? mostLike(value, values);
  const guess = like === undefined ? '' : ` Did you mean “${like}”?`;
  if (fact === 'signals') return `No check gives the signal “${value}”.${guess}`;
  return `${fact} is never “${value}”. Expected one of ${values.join(', ')}.`;
}

const RANGES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  'time.hour': [0, 23],
  'time.weekday': [1, 7],
};

function adviceForNumber(fact: string, value: number): string | undefined {
  const [least, most] = RANGES[fact] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return value < least || value > most ? `${fact} is never ${value}. It is ${least} to ${most}.` : undefined;
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

function adviceForCountry(value: string): string | undefined {
  const code = value.toUpperCase();
  if (!/^[A-Z]{2}$/.test(code))
    return `ip.country is never “${value}”. It is two capital letters, such as DE.`;
  // The standard’s own code: GB, not UK.
  const known = new Intl.Locale(`und-${code}`).region ?? code;
  if (known !== value) return `ip.country is never “${value}”. Write “${known}”.`;
  return regions.of(code) === undefined ? `There is no country “${value}”.` : undefined;
}

function adviceForDomain(fact: string, value: string): string | undefined {
  if (value !== value.toLowerCase()) return `${fact} is in lower case. Write “${value.toLowerCase()}”.`;
  if (value.includes('@')) return `${fact} is what stands after the @.`;
  if (fact === 'email.tld' && value.includes('.'))
    return `email.tld is the last label only. Write “${value.slice(value.lastIndexOf('.') + 1)}”.`;
  return undefined;
}
