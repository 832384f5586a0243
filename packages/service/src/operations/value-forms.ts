import type { NamedLists } from '@postern/contract/project-fields';
import { RULE_LIMITS, type Rule } from '@postern/contract/rules';
import { readExpression } from '../decision/rules/read-expression.ts';
import type { EmailAddress } from '../model/email-address.ts';
import { LIST_VALUE_EXAMPLES, LIST_VALUE_FORMS, parseListValue } from '../model/list-value.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { quoted } from './administration.ts';
import { refusedPattern } from './allowed-domains.ts';

/** The validations per month of each plan. */
export type Plans = ReadonlyMap<string, number>;

interface FormFault {
  /** Inside the value. */
  readonly at?: readonly (string | number)[];
  readonly error: string;
  readonly place?: { readonly line: number; readonly column: number };
}

const unless = (isRight: boolean, error: string): FormFault[] => (isRight ? [] : [{ error }]);

/** What is wrong with a value that its schema accepts, by the `form` that the contract’s schema names. */
export const FORMS = {
  plan: (plan: string, label: string, plans: Plans | undefined) =>
    unless(
      plans === undefined || plans.has(plan),
      `${label} ${quoted(plan)} is not known. Use one of: ${[...(plans?.keys() ?? [])].join(', ')}.`,
    ),
  allowedDomain(pattern: string): FormFault[] {
    const error = refusedPattern(pattern);
    return error === undefined ? [] : [{ error }];
  },
  listValue: (value: string, label: string) =>
    unless(
      parseListValue(value) !== undefined,
      `${label === '' ? '' : `${label}: `}${quoted(value)} is not ${LIST_VALUE_FORMS}. Examples: ${LIST_VALUE_EXAMPLES}.`,
    ),
  webhookUrl(text: string) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol === MAILTO)
      return unless(
        addressIn(url) !== undefined && url.search === '',
        `${quoted(text)} is not mailto: and one address.`,
      );
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
      return [{ error: `${quoted(text)} is not an http or https URL, and not mailto: and an address.` }];
    return unless(
      url.username === '' && url.password === '',
      'The URL must not hold a user name or a password; check the signature instead.',
    );
  },
  /** Of a file, where each entry is written by a person. */
  fileEntries: (entries: readonly (string | { readonly value: string })[]) =>
    repeated(
      entries.map((entry) => parseListValue(typeof entry === 'string' ? entry : entry.value)?.text),
    ).map(([index, value]) => ({ at: [index], error: `${quoted(value)} is in the list twice.` })),
  namedLists: (lists: NamedLists) => [
    ...unless(
      Object.keys(lists).length <= RULE_LIMITS.lists,
      `A project has at most ${RULE_LIMITS.lists} named lists.`,
    ),
    // Zod leaves it out.
    ...unless(!Object.hasOwn(lists, '__proto__'), "'__proto__' is not a list’s name."),
  ],
  condition(when: string): FormFault[] {
    if (when.trim() === '') return [{ error: 'when must be an expression, such as ip.country == "DE".' }];
    const read = readExpression(when);
    if (read.ok) return [];
    const { line, column, message } = read.fault;
    return [{ error: `Line ${line}, column ${column}: ${message}`, place: { line, column } }];
  },
  rule: ({ then, stepUp }: Rule) =>
    (stepUp ?? null) === null || then === 'flag'
      ? []
      : [
          {
            at: ['stepUp'],
            error: 'Only a rule whose answer (then) is flag can ask for something (stepUp).',
          },
        ],
  rules: (rules: readonly Rule[]) => [
    ...repeated(rules.map(({ id }) => id)).map(([index, id]) => ({
      at: [index, 'id'],
      error: `There are two rules with the ID ${quoted(id)}.`,
    })),
    ...tooManySteps(rules),
  ],
};

export const MAILTO = 'mailto:';

/** The address of a mailto: URL, which can have a `%` that stands for nothing. */
export function addressIn({ pathname }: URL): EmailAddress | undefined {
  try {
    return parseEmailAddress(decodeURIComponent(pathname));
  } catch {
    return undefined;
  }
}

/** The later ones of equal values. */
function repeated(values: readonly (string | undefined)[]): [index: number, value: string][] {
  const seen = new Set<string>();
  return values.flatMap((value, index): [number, string][] => {
    if (value === undefined) return [];
    if (seen.has(value)) return [[index, value]];
    seen.add(value);
    return [];
  });
}

function tooManySteps(rules: readonly Rule[]): FormFault[] {
  const steps = rules.map(({ when }) => {
    const read = readExpression(when);
    return read.ok ? read.expression.steps : 0;
  });
  const all = steps.reduce((sum, each) => sum + each, 0);
  const most = steps.indexOf(Math.max(...steps));
  return unless(
    all <= RULE_LIMITS.stepsOfAll,
    `All rules together may take at most ${RULE_LIMITS.stepsOfAll} steps; these may take ${all}. The rule ${quoted(rules[most]?.id)} alone may take ${steps[most]}: use a named list instead of a long one, and exists on short lists only.`,
  );
}
