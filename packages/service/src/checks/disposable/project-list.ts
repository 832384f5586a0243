import type { EmailAddress } from '../../model/email-address.ts';
import { domainToAscii } from '../../model/idna.ts';
import type { ListEntry } from '../../model/project.ts';

/** From an address or a domain to the time its entry expires. */
type ProjectIndex = ReadonlyMap<string, number>;

/**
 * A list object never changes after the project is read. So it is indexed once, look-ups take constant time, and the
 * index is garbage-collected with the list.
 */
const indexes = new WeakMap<readonly ListEntry[], ProjectIndex>();

function indexOf(list: readonly ListEntry[]): ProjectIndex {
  const cached = indexes.get(list);
  if (cached !== undefined) {
    return cached;
  }
  const index = new Map<string, number>();
  for (const { value, expiresAt } of list) {
    const key = normalize(value);
    index.set(key, Math.max(index.get(key) ?? 0, expiresAt ?? Number.POSITIVE_INFINITY));
  }
  indexes.set(list, index);
  return index;
}

/** `jane@example.com`, `example.com`, and also in the forms `@example.com`, `*.example.com`, `bücher.example`. */
function normalize(value: string): string {
  const text = value.trim().normalize('NFC').toLowerCase();
  const at = text.lastIndexOf('@');
  const local = at > 0 ? text.slice(0, at + 1) : '';
  const domain = text
    .slice(at + 1)
    .replace(/^\*?\./, '')
    .replace(/\.$/, '');
  return local + (domainToAscii(domain) ?? domain);
}

/** The entry that covers the address: the address itself, its domain, or a parent of the domain. */
export function coveringEntry(
  list: readonly ListEntry[],
  address: EmailAddress,
  now: number,
): string | undefined {
  if (list.length === 0) {
    return undefined;
  }
  const index = indexOf(list);
  const counts = (key: string) => (index.get(key) ?? 0) > now;
  if (counts(address.normalized)) {
    return address.normalized;
  }
  for (let domain = address.asciiDomain; ; ) {
    if (counts(domain)) {
      return domain;
    }
    const dot = domain.indexOf('.');
    if (dot < 0) {
      return undefined;
    }
    domain = domain.slice(dot + 1);
  }
}
