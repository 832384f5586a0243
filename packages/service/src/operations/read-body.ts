import { RULE_ID } from '@postern/contract/rules';
import * as z from 'zod';
import { InvalidInput, quoted } from './administration.ts';
import { FORMS, type Plans } from './value-forms.ts';

/** What a schema expects, as JSON Schema has it, and the contract’s own words, see its `fields.ts`. */
interface Expectation {
  readonly title?: string;
  readonly expected?: string;
  readonly sentence?: string;
  readonly names?: string;
  readonly refused?: string;
  readonly most?: string;
  readonly each?: string;
  readonly form?: keyof typeof FORMS;
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
  readonly propertyNames?: Expectation;
  readonly items?: Expectation;
}

type Path = readonly (string | number)[];

export interface Fault {
  readonly path: Path;
  /** What the message begins with: its title, or nothing. If absent, the path. */
  readonly about?: string | undefined;
  readonly error: string;
  /** In a text with lines. */
  readonly place?: { readonly line: number; readonly column: number };
}

const MAX_FAULTS = 20;

/** The body as its schema reads it. Throws all faults together, each with the field’s name and what was expected. */
export function readBody<S extends z.ZodType>(schema: S, sent: unknown = {}, plans?: Plans): z.output<S> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw new InvalidInput('body', 'The body must be a JSON object.');
  const { data, faults, expectation } = readWith(schema, sent, plans);
  const [first] = faults;
  if (first === undefined) return data as z.output<S>;
  const told = faults.map((fault) => inWords(fault, sent, expectation));
  const sentences = [...new Set(told.map(({ error }) => error))];
  const more = sentences.length - MAX_FAULTS;
  throw new InvalidInput(
    told[0]?.field ?? 'body',
    [...sentences.slice(0, MAX_FAULTS), ...(more > 0 ? [`… and ${more} more.`] : [])].join(' '),
    first.place,
  );
}

/** The value as its schema reads it, and everything that is wrong with it. `apart`: one fault for each unknown field. */
export function readWith<S extends z.ZodType>(schema: S, sent: unknown, plans?: Plans, apart = false) {
  const expectation = expectationOf(schema);
  const read = schema.safeParse(sent, { reportInput: true });
  // A misspelt field explains why another one is missing.
  const issues = read.error?.issues.map(innermost) ?? [];
  const unknown = issues
    .filter((issue) => issue.code === 'unrecognized_keys')
    .flatMap((issue) => (apart ? issue.keys.map((key) => ({ ...issue, keys: [key] })) : [issue]));
  const ordered = [...unknown, ...issues.filter(({ code }) => code !== 'unrecognized_keys')];
  const faults = ordered.map((issue) => describeFault(issue, expectation));
  // Sets, because a list can have a fault in each of ten thousand entries.
  const [reached, broken] = [new Set<string>(), new Set<string>()];
  for (const { code, path } of ordered) {
    for (const depth of [...path.keys(), path.length]) reached.add(keyOf(path, depth));
    // A misspelt field says nothing about the fields beside it.
    if (code !== 'unrecognized_keys') broken.add(keyOf(path));
  }
  const isFine = (path: Path) =>
    !reached.has(keyOf(path)) && !path.some((_, depth) => broken.has(keyOf(path, depth)));
  return {
    data: read.data,
    faults: [...faults, ...formFaults(expectation, sent, isFine, plans)],
    expectation,
  };
}

const keyOf = (path: readonly PropertyKey[], depth?: number) => JSON.stringify(path.slice(0, depth));

const EXPECTATIONS = new WeakMap<z.ZodType, Expectation>();

function expectationOf(schema: z.ZodType): Expectation {
  const known = EXPECTATIONS.get(schema);
  if (known !== undefined) return known;
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Expectation;
  EXPECTATIONS.set(schema, made);
  return made;
}

/** What the schema cannot know. A value is looked at if the schema accepts it. */
function formFaults(
  whole: Expectation,
  sent: unknown,
  isFine: (path: Path) => boolean,
  plans: Plans | undefined,
): Fault[] {
  const faults: Fault[] = [];
  const look = (expectation: Expectation, value: unknown, path: Path, around: string) => {
    if (value === undefined || value === null) return;
    const { title: label = around, form } = expectation;
    if (form !== undefined && isFine(path))
      for (const { at = [], ...fault } of FORMS[form](value as never, label, plans))
        faults.push({ ...fault, about: '', path: [...path, ...at] });
    if (typeof value !== 'object') {
      for (const one of expectation.anyOf ?? []) if (one.type === typeof value) look(one, value, path, label);
      return;
    }
    for (const [name, part] of Object.entries(value)) {
      const expected = partOf(expectation, name);
      if (expected !== undefined)
        look(expected, part, [...path, Array.isArray(value) ? Number(name) : name], label);
    }
  };
  look(whole, sent, [], '');
  return faults;
}

/** The fault with the name of its field. Of a list or record whose items have a name, it says which item it is. */
function inWords({ path, about, error }: Fault, sent: unknown, whole: Expectation) {
  // A setting of the policy is a field of its own.
  const [name = 'body', setting = name] = path;
  const field = String(name === 'policy' ? setting : name).slice(0, 60);
  const sentence = (inside: Path) => {
    const subject = about ?? inside.join('.').slice(0, 100);
    return subject === '' ? error : `${subject} ${error}`;
  };
  let [expectation, value]: [Expectation | undefined, unknown] = [whole, sent];
  for (const [depth, part] of path.entries()) {
    value = (value as Record<string | number, unknown> | undefined)?.[part];
    if (expectation?.each !== undefined) {
      const rest = path.slice(depth + 1);
      const { id } = Object(value) as { readonly id?: unknown };
      const name = typeof id === 'string' && RULE_ID.test(id) ? ` (${id})` : '';
      const isListed = typeof part === 'number';
      const item = isListed ? part + 1 + name : part;
      return {
        field: isListed ? [`${field}[${part}]`, ...rest].join('.') : field,
        error: `${expectation.each} ${item}${rest.length > 0 || about === '' ? ':' : ''} ${sentence(rest)}`,
      };
    }
    expectation = partOf(expectation, String(part));
  }
  return { field, error: sentence(path) };
}

function describeFault(issue: z.core.$ZodIssue, whole: Expectation): Fault {
  const path = issue.path as Path;
  const around = path
    .slice(0, -1)
    .reduce<Expectation | undefined>((each, part) => partOf(each, String(part)), whole);
  const isName = issue.code === 'invalid_key';
  const found = path.length === 0 ? whole : partOf(around, String(path.at(-1)));
  const expectation = (isName ? around?.propertyNames : found) ?? {};
  const { title: about, sentence, refused, most, enum: choices = [] } = expectation;
  if (issue.code === 'unrecognized_keys') {
    const others = issue.keys.slice(0, 10).map(quoted).join(', ');
    const { names, properties = {} } = formsOf(expectation).find((form) => form.properties) ?? {};
    const known = Object.keys(properties).join(', ');
    const place = (about ?? path.join('.')).slice(0, 100);
    const error = names
      ? `${names} ${others} is not known. Use one of: ${known}.`
      : `Unknown field${place === '' ? '' : ` in ${place}`}: ${others}. Known fields: ${known}.`;
    return { path: [...path, issue.keys[0] ?? ''], about: '', error };
  }
  const given = isName ? path.at(-1) : issue.input;
  if (refused !== undefined && typeof given === 'string')
    return { path, about: isName ? '' : about, error: `${quoted(given)} ${refused}` };
  if (sentence !== undefined) return { path, about: '', error: sentence };
  if (issue.code === 'custom') return { path, about, error: 'is missing.' };
  if (most !== undefined && issue.code === 'too_big')
    return { path, about: '', error: `${most}; got ${(given as readonly unknown[]).length}.` };
  if (choices.length > 0 && given !== undefined)
    return { path, about, error: `${quoted(given)} is not known. Use one of: ${choices.join(', ')}.` };
  return { path, about, error: `must be ${wordsOf(expectation)}.` };
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
