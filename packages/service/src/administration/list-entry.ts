import type { ListField } from '@postern/contract/project-fields';
import { parseCidr } from '../model/cidr.ts';
import { domainToAscii } from '../model/idna.ts';
import { maskIp, parseIpAddress } from '../model/ip-address.ts';
import type { ListEntry } from '../model/project.ts';
import { InvalidInput, quoted } from './administration.ts';

const MAX_NOTE_LENGTH = 200;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/;

/**
 * The project’s own list with each value in the form that the checks compare. The last of several equal values stays.
 */
export function readListEntries(
  field: string,
  entries: unknown,
  { label, maxEntries }: Pick<ListField, 'label' | 'maxEntries'>,
): ListEntry[] {
  if (!Array.isArray(entries)) throw new InvalidInput(field, `${label} must be a list.`);
  const byValue = new Map<string, ListEntry>();
  for (const entry of entries) {
    const read = readListEntry(field, label, entry);
    byValue.set(read.value, read);
  }
  if (byValue.size > maxEntries) {
    throw new InvalidInput(field, `${label}: at most ${maxEntries} entries; got ${byValue.size}.`);
  }
  return [...byValue.values()];
}

function readListEntry(field: string, label: string, entry: ListEntry): ListEntry {
  const value = typeof entry?.value === 'string' ? normalizeListValue(entry.value) : undefined;
  if (value === undefined) {
    throw new InvalidInput(
      field,
      `${label}: ${quoted(entry?.value)} is not an address, a domain, an IP address or a CIDR range. ` +
        'Examples: jane@example.com, example.com, 203.0.113.7, 2001:db8::/32.',
    );
  }
  const { note, expiresAt } = entry;
  if (
    note !== undefined &&
    (typeof note !== 'string' || note.length > MAX_NOTE_LENGTH || note.includes('\0'))
  ) {
    throw new InvalidInput(field, `${label}: a note is a text of at most ${MAX_NOTE_LENGTH} characters.`);
  }
  if (expiresAt !== undefined && !Number.isSafeInteger(expiresAt)) {
    throw new InvalidInput(
      field,
      `${label}: the end of an entry (expiresAt) is a time in milliseconds since 1970.`,
    );
  }
  return {
    value,
    ...(note !== undefined && note !== '' ? { note } : {}),
    ...(expiresAt !== undefined ? { expiresAt } : {}),
  };
}

/** A list’s value without the person in it: an address loses its name, an IP address its last part. */
export function maskListValue(value: string): string {
  const at = value.lastIndexOf('@');
  if (at >= 0) return `***${value.slice(at)}`;
  const ip = parseIpAddress(value);
  return ip === undefined ? value : maskIp(ip);
}

/** `undefined` if the text is not a valid list entry. */
export function normalizeListValue(text: string): string | undefined {
  const value = text.trim().toLowerCase().normalize('NFC');
  if (parseCidr(value) !== undefined) return value;

  const at = value.lastIndexOf('@');
  const domain = readDomain(value.slice(at + 1));
  if (domain === undefined) return undefined;
  if (at < 0) return domain;
  // An entry that begins with @ means the whole domain, as many people write it.
  if (at === 0) return domain;
  return at <= 64 && !/[\s\p{Cc}]/u.test(value) ? `${value.slice(0, at)}@${domain}` : undefined;
}

/** A domain name in A-labels, or `undefined` if the text is none. */
export function readDomain(text: string): string | undefined {
  const ascii = domainToAscii(text) ?? '';
  // A last label of digits is a mistyped IP address: no top-level domain is a number.
  return DOMAIN.test(ascii) && !/\.[0-9]+$/.test(ascii) ? ascii : undefined;
}
