import { LINKED_KINDS, type LinkedKind, THING_KINDS, type ThingKind } from '@postern/contract/dashboard';
import type { ThingName } from '../../components/thing-link.tsx';
import { readRange, type TimeRange } from '../../components/time-range.ts';

/** One thing and a time, from the address bar. The router reads 3320 as a number. */
export function readThing(search: Record<string, unknown>): ThingName & TimeRange {
  const kind = THING_KINDS.find((each) => ['string', 'number'].includes(typeof search[each]));
  return { ...(kind !== undefined && { [kind]: String(search[kind]) }), ...readRange(search) };
}

export const kindOf = (of: ThingName): ThingKind =>
  THING_KINDS.find((kind) => of[kind] !== undefined) ?? 'domain';

export const isLinkedKind = (text: string): text is LinkedKind => LINKED_KINDS.some((kind) => kind === text);

interface KindWords {
  readonly one: string;
  readonly many: string;
  /** The filter of the log. */
  readonly filter: 'inbox' | 'device' | 'domain' | 'network' | 'asn' | 'country';
  /** How a list’s entry about it begins. */
  readonly entry: string;
}

/** What people can be counted by, in words. */
export const KINDS: Readonly<Record<LinkedKind, KindWords>> = {
  person: { one: 'Person', many: 'People', filter: 'inbox', entry: 'person:' },
  device: { one: 'Device', many: 'Devices', filter: 'device', entry: 'device:' },
  domain: { one: 'Domain', many: 'Domains', filter: 'domain', entry: '' },
  network: { one: 'Network', many: 'Networks', filter: 'network', entry: '' },
  asn: { one: 'Operator', many: 'Operators', filter: 'asn', entry: 'AS' },
  country: { one: 'Country', many: 'Countries', filter: 'country', entry: 'country:' },
};
