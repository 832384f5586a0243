import { ACTIONS, CHECK_NAMES } from '@postern/contract';
import { InvalidInput } from '../administration/administration.ts';
import { domainToAscii } from '../model/idna.ts';
import type { LogFilter } from '../store/store.ts';
import { type DashboardCall, queryChoice, queryNumber, queryText } from './route.ts';

const MAX_VALUES = 30;

/**
 * The log's filter from the query. `recommendation`, `check`, `signal` and `domain` take several values with commas
 * between them; a value that begins with `!` must not occur.
 */
export function filterOf(call: DashboardCall): LogFilter {
  const recommendation = valuesOf(call, 'recommendation', (text) => oneOf('recommendation', text, ACTIONS));
  const check = valuesOf(call, 'check', (text) => oneOf('check', text, CHECK_NAMES));
  const signal = valuesOf(call, 'signal', (text) => text);
  const domain = valuesOf(call, 'domain', asciiDomain);
  const time = (name: string) => queryNumber(call, name, 0, Number.MAX_SAFE_INTEGER);
  const part = word(call, 'domainPart');
  return {
    ...defined('from', time('from')),
    ...defined('to', time('to')),
    ...defined('recommendation', recommendation.wanted),
    ...defined('check', check.wanted),
    ...defined('signal', signal.wanted),
    ...defined('domain', domain.wanted),
    not: {
      ...defined('recommendation', recommendation.unwanted),
      ...defined('check', check.unwanted),
      ...defined('signal', signal.unwanted),
      ...defined('domain', domain.unwanted),
    },
    ...defined('domainPart', part?.toLowerCase()),
    ...defined('network', word(call, 'network')),
    ...defined('country', word(call, 'country')?.toUpperCase()),
    ...defined('asn', queryNumber(call, 'asn', 0, 2 ** 32 - 1)),
    ...defined('mode', queryChoice(call, 'mode', ['live', 'test'])),
    ...defined('deviceHash', word(call, 'device')),
    ...defined('inboxHash', word(call, 'inbox')),
  };
}

interface Values<T> {
  readonly wanted: readonly T[] | undefined;
  readonly unwanted: readonly T[] | undefined;
}

function valuesOf<T>(call: DashboardCall, name: string, read: (text: string) => T): Values<T> {
  const texts = (word(call, name) ?? '').split(',').filter((text) => text !== '');
  if (texts.length > MAX_VALUES) throw new InvalidInput(name, `${name} takes at most ${MAX_VALUES} values.`);
  const wanted = texts.filter((text) => !text.startsWith('!')).map(read);
  const unwanted = texts.filter((text) => text.startsWith('!')).map((text) => read(text.slice(1)));
  return {
    wanted: wanted.length === 0 ? undefined : wanted,
    unwanted: unwanted.length === 0 ? undefined : unwanted,
  };
}

const asciiDomain = (text: string) => domainToAscii(text) ?? text;

function oneOf<const T extends string>(name: string, text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new InvalidInput(name, `${name} must be one of ${known.join(', ')}.`);
  return found;
}

/** The log is searched by words, and no word contains a space. */
function word(call: DashboardCall, name: string): string | undefined {
  const text = queryText(call, name)?.trim();
  if (text !== undefined && /\s/.test(text))
    throw new InvalidInput(name, `${name} must not contain a space.`);
  return text;
}

function defined<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
