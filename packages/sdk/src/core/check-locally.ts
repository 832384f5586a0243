import { suggestDomain } from './suggest-domain.ts';

export interface LocalCheck {
  /** `false` only if the service would refuse it too. Anything that only the service can decide passes here. */
  readonly wellFormed: boolean;
  /** The address with its domain corrected, if the domain is a known misspelling. */
  readonly suggestion: string | null;
}

/** Checks an address immediately, without asking the service. */
export function checkLocally(email: string): LocalCheck {
  const address = email.trim();
  const at = address.lastIndexOf('@');
  const wellFormed = at > 0 && isLocalPart(address.slice(0, at)) && isDomain(address.slice(at + 1));
  if (!wellFormed || utf8Length(address) > 254) return { wellFormed: false, suggestion: null };
  const domain = suggestDomain(address.slice(at + 1));
  const exists = domain !== null && (domain !== 'gmail.com' || mayBeGmail(address.slice(0, at)));
  return { wellFormed: true, suggestion: exists ? withDomain(address, domain) : null };
}

/** Gmail has no name with fewer than six letters and digits: the service would refuse what was suggested. */
function mayBeGmail(local: string): boolean {
  return local.replace(/\+.*/, '').replaceAll('.', '').length >= 6;
}

export function withDomain(email: string, domain: string): string {
  const address = email.trim();
  return `${address.slice(0, address.lastIndexOf('@') + 1)}${domain}`;
}

/** RFC 5321 section 4.1.2 Dot-string, extended to UTF-8 by RFC 6531. Quoted strings are left to the service. */
function isLocalPart(local: string): boolean {
  if (utf8Length(local) > 64) return false;
  if (local.startsWith('"')) return local.length > 1 && local.endsWith('"');
  return local
    .split('.')
    .every((atom) => atom !== '' && !/[\s"(),:;<>@[\\\]]/.test(atom) && !hasControl(atom));
}

/** Labels as in RFC 5321. The service decides about letters beyond ASCII and about address literals. */
function isDomain(domain: string): boolean {
  if (domain.startsWith('[')) return domain.endsWith(']');
  // UTS #46 treats these as a dot.
  const labels = domain.split(/[.\u3002\uff0e\uff61]/);
  return labels.every((label) => label !== '' && !/^-|-$|\s|[^a-z0-9\-\u0080-\uffff]/i.test(label));
}

/** Spelled out, because React Native’s engine does not support `\p{Cc}`. */
function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return true;
  }
  return false;
}

function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
