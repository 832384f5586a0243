import { readWords } from '../lists/read-list.ts';
import { relayOf } from './relays.ts';

/** What kind of domain an address has, as the statistics count it. */
export type DomainClass = 'free' | 'business' | 'relay' | 'disposable';

const PROVIDERS: ReadonlySet<string> = new Set(readWords('domains/mail-providers.txt'));

/** `business` is every domain that is nothing else, a person’s own domain included. */
export function domainClass(domain: string, signals: readonly string[]): DomainClass {
  if (signals.includes('disposable_email') || signals.includes('disposable_mx')) return 'disposable';
  if (isMailProvider(domain)) return 'free';
  return relayOf(domain) === undefined ? 'business' : 'relay';
}

/** Whether the domain belongs to a provider whose addresses anybody can have. */
export function isMailProvider(domain: string): boolean {
  return PROVIDERS.has(domain);
}
