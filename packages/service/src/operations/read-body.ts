import * as z from 'zod';
import { InvalidInput, quoted } from './administration.ts';

/** What a schema expects, as JSON Schema has it, and the contract’s own words, see its `fields.ts`. */
interface Expectation {
  readonly title?: string;
  readonly expected?: string;
  readonly sentence?: string;
  readonly names?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Expectation[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Expectation>>;
  readonly additionalProperties?: Expectation | boolean;
  readonly items?: Expectation;
}

const MAX_FAULTS = 5;

/** The body as its schema reads it. Throws all faults together, each with the field’s name and what was expected. */
export function readBody<S extends z.ZodType>(schema: S, sent: unknown = {}): z.output<S> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw new InvalidInput('body', 'The body must be a JSON object.');
  const read = schema.safeParse(sent, { reportInput: true });
  if (read.success) return read.data;
  const expectation = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Expectation;
  // A misspelt field explains why another one is missing.
  const { issues } = read.error;
  const isUnknown = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys';
  const ordered = [...issues.filter(isUnknown), ...issues.filter((issue) => !isUnknown(issue))];
  const faults = ordered.map((issue) => describeFault(issue, expectation));
  const sentences = new Set(faults.slice(0, MAX_FAULTS).map(({ error }) => error));
  throw new InvalidInput(faults[0]?.field ?? 'body', [...sentences].join(' '));
}

function describeFault(found: z.core.$ZodIssue, whole: Expectation) {
  const issue = innermost(found);
  const path = issue.path.map(String);
  const expectation = path.reduce<Expectation | undefined>(partOf, whole);
  const place = expectation?.title ?? path.join('.').slice(0, 100);
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const others = issue.keys.slice(0, 10).map(quoted).join(', ');
    const { names, properties = {} } = formsOf(expectation).find((form) => form.properties) ?? {};
    const known = Object.keys(properties).join(', ');
    return {
      field: (path[0] ?? key).slice(0, 60),
      error: names
        ? `${names} ${others} is not known. Use one of: ${known}.`
        : `Unknown field${place === '' ? '' : ` in ${place}`}: ${others}. Known fields: ${known}.`,
    };
  }
  const field = (path[0] ?? 'body').slice(0, 60);
  if (expectation?.sentence) return { field, error: expectation.sentence };
  if (issue.code === 'custom') return { field, error: `${place} is missing.` };
  const choices = expectation?.enum ?? [];
  if (choices.length > 0 && issue.input !== undefined)
    return {
      field,
      error: `${place} ${quoted(issue.input)} is not known. Use one of: ${choices.join(', ')}.`,
    };
  return { field, error: `${place} must be ${wordsOf(expectation ?? {})}.` };
}

/** Of a value that can have several forms, the fault deepest inside: it belongs to the form that was meant. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const deepest = issue.errors
    .flat()
    .map(innermost)
    .reduce((best, one) => (one.path.length > best.path.length ? one : best), {
      ...issue,
      path: [],
    } as z.core.$ZodIssue);
  if (deepest.path.length === 0) return issue;
  return { ...deepest, path: [...issue.path, ...deepest.path] };
}

/** A value can have one of several forms. */
const formsOf = (expectation: Expectation = {}): readonly Expectation[] =>
  expectation.anyOf?.flatMap(formsOf) ?? [expectation];

function partOf(around: Expectation | undefined, name: string): Expectation | undefined {
  if (around === undefined) return undefined;
  if (around.anyOf !== undefined)
    return around.anyOf.map((one) => partOf(one, name)).find((one) => one !== undefined);
  if (around.items !== undefined) return around.items;
  if (around.properties !== undefined && Object.hasOwn(around.properties, name))
    return around.properties[name];
  return typeof around.additionalProperties === 'object' ? around.additionalProperties : undefined;
}

function wordsOf(expectation: Expectation): string {
  const { type, minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = expectation;
  if (expectation.expected !== undefined) return expectation.expected;
  const choices = expectation.enum ?? ('const' in expectation ? [expectation.const] : []);
  if (choices.length > 0) return choices.length === 1 ? quoted(choices[0]) : `one of ${choices.join(', ')}`;
  if (expectation.anyOf !== undefined) {
    const words = expectation.anyOf.filter((one) => one.type !== 'null').map(wordsOf);
    return [...new Set(words)].join(', or ');
  }
  switch (type) {
    case 'integer':
      return `a whole number${between(minimum, maximum)}`;
    case 'number':
      return `a number${between(minimum, maximum)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return `a text${counted(minLength, maxLength, 'characters')}`;
    case 'array':
      return `a list${counted(minItems, maxItems, 'entries')}`;
    case 'object':
      return 'an object';
    default:
      return 'something else';
  }
}

function between(minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER): string {
  if (minimum === Number.MIN_SAFE_INTEGER) return '';
  return maximum === Number.MAX_SAFE_INTEGER ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`;
}

function counted(least: number, most: number | undefined, what: string): string {
  if (most === undefined) return least === 0 ? '' : ` with at least ${least} ${what}`;
  return least === 0 ? ` with at most ${most} ${what}` : ` with ${least} to ${most} ${what}`;
}
