import { ACTIONS, CHECK_NAMES } from '@postern/contract';
import { domainToAscii } from '../model/idna.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { InvalidInput } from './administration.ts';
import { queryChoice, queryText, queryTime, type RouteCall } from './operation.ts';

const MAX_VALUES = 30;
/** Of all values of a filter together: room for that many domains of the longest kind. */
const MAX_CHARACTERS = MAX_VALUES * 254;

type Filtered = Pick<RouteCall<'GET /projects/:id/validations/summary'>, 'query'>;
type FilterName = keyof Filtered['query'];

/**
 * The log's filter from the query. Most take several values with commas between them; a value that begins with `!` must
 * not occur.
 */
export function filterOf(call: Filtered): LogFilter {
  const { wanted, unwanted } = severalOf(call);
  return {
    ...defined('from', queryTime(call, 'from')),
    ...defined('to', queryTime(call, 'to')),
    ...wanted,
    not: unwanted,
    ...defined('mode', queryChoice(call, 'mode', ['live', 'test'])),
    ...defined('deviceHash', word(call, 'device')),
    ...defined('inboxHash', valuesOf(call, 'inbox', (text) => text).wanted),
  };
}

/** The filters with several values. */
function severalOf(call: Filtered) {
  const values = {
    recommendation: valuesOf(call, 'recommendation', (text) => oneOf('recommendation', text, ACTIONS)),
    check: valuesOf(call, 'check', (text) => oneOf('check', text, CHECK_NAMES)),
    signal: valuesOf(call, 'signal', (text) => text),
    domain: valuesOf(call, 'domain', (text) => domainToAscii(text) ?? text),
    domainPart: valuesOf(call, 'domainPart', partOfDomain),
    network: valuesOf(call, 'network', (text) => text),
    country: valuesOf(call, 'country', (text) => text.toUpperCase()),
    asn: valuesOf(call, 'asn', networkNumber),
    rule: valuesOf(call, 'rule', (text) => text),
  };
  const pick = (side: keyof Values<unknown>) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, each]) =>
        each[side] === undefined ? [] : [[name, each[side]]],
      ),
    ) as NonNullable<LogFilter['not']>;
  return { wanted: pick('wanted'), unwanted: pick('unwanted') };
}

interface Values<T> {
  readonly wanted: readonly T[] | undefined;
  readonly unwanted: readonly T[] | undefined;
}

function valuesOf<T>(call: Filtered, name: FilterName, read: (text: string) => T): Values<T> {
  const texts = (word(call, name) ?? '').split(',').filter((text) => text !== '');
  if (texts.length > MAX_VALUES) throw new InvalidInput(name, `${name} takes at most ${MAX_VALUES} values.`);
  const wanted = texts.filter((text) => !text.startsWith('!')).map(read);
  const unwanted = texts.filter((text) => text.startsWith('!')).map((text) => read(text.slice(1)));
  return {
    wanted: wanted.length === 0 ? undefined : wanted,
    unwanted: unwanted.length === 0 ? undefined : unwanted,
  };
}

/** A part need not be a domain: it can begin with a dot. Only a part with other letters than ASCII is converted. */
function partOfDomain(text: string): string {
  const part = text.toLowerCase();
  return /^[\x21-\x7e]*$/.test(part) ? part : (domainToAscii(part) ?? part);
}

function networkNumber(text: string): number {
  const number = /^(?:as)?(\d{1,10})$/i.exec(text)?.[1];
  if (number === undefined || Number(number) >= 2 ** 32)
    throw new InvalidInput('asn', 'asn must be a number from 0 to 4294967295.');
  return Number(number);
}

function oneOf<const T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found === undefined) throw new InvalidInput(name, `${name} must be one of ${allowed.join(', ')}.`);
  return found;
}

/** The log is searched by words, and no word contains a space. */
function word(call: Filtered, name: FilterName): string | undefined {
  const text = queryText(call, name, MAX_CHARACTERS)?.trim();
  if (text !== undefined && /\s/.test(text))
    throw new InvalidInput(name, `${name} must not contain a space.`);
  return text;
}

function defined<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
