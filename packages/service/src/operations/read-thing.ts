import type { ThingKind } from '@postern/contract/dashboard';
import { type Cidr, cidrText, parseCidr } from '../model/cidr.ts';
import { networkOf } from '../model/ip-address.ts';
import { readDomain } from '../model/list-value.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { InvalidInput } from './administration.ts';

/** A thing as the query names it, with its filter of the log and the entry of a list that is about it. */
export interface Thing {
  readonly kind: ThingKind;
  readonly name: string;
  readonly filter: LogFilter;
  readonly entry: string;
}

/** Reads what a page or a decision is about. */
export function readThing(kind: ThingKind, text: string): Thing {
  const refuse = (expected: string): never => {
    throw new InvalidInput(kind, `${kind} must be ${expected}.`);
  };
  if (kind === 'network') {
    const name = cidrText(rangeOf(text) ?? refuse('an IP address or a range such as 203.0.113.0/24'));
    return { kind, name, filter: { network: name }, entry: name };
  }
  if (kind === 'asn') {
    const asn =
      /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32
        ? Number(text)
        : refuse('a number from 0 to 4294967295');
    return { kind, name: String(asn), filter: { asn }, entry: `AS${asn}` };
  }
  if (kind === 'person' || kind === 'device') {
    const filter = kind === 'person' ? { inboxHash: text } : { deviceHash: text };
    return { kind, name: text, filter, entry: `${kind}:${text}` };
  }
  const name = readDomain(text) ?? (kind === 'mailHost' ? parseCidr(text)?.base.text : undefined);
  if (name === undefined) return refuse('a domain as in example.com');
  return kind === 'domain'
    ? { kind, name, filter: { domain: name }, entry: name }
    : { kind, name, filter: { mailHost: name }, entry: `mx:${name}` };
}

/** The filter for what came with one of several things. */
export function readThings(kind: ThingKind, names: readonly string[]): LogFilter {
  const filters = names.map((name) => Object.entries(readThing(kind, name).filter));
  const [[field] = ['domain']] = filters[0] ?? [];
  return { [field]: filters.flat().map(([, value]) => value) };
}

/** The range as the log has it: a /24 or a /48. */
function rangeOf(text: string): Cidr | undefined {
  const asked = parseCidr(text);
  return asked && parseCidr(networkOf(asked.base));
}
