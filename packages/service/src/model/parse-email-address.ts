import { readAddressLiteral } from './address-literal.ts';
import { utf8Length } from './code-points.ts';
import { readDomainName } from './domain-name.ts';
import type { EmailAddress } from './email-address.ts';
import { endOfQuotedString, readDotString, readQuotedString } from './local-part.ts';

/**
 * A forward-path holds 256 octets, angle brackets included (RFC 5321, 4.5.3.1.3, erratum 1690 to RFC 3696). The limit
 * applies to the address as typed and to its A-label form, because either one can be sent.
 */
const MAX_ADDRESS_OCTETS = 254;

/**
 * The address in `text`, or `undefined` if it is not one. Comments, folding and obsolete forms are refused. Linear
 * time.
 */
export function parseEmailAddress(text: string): EmailAddress | undefined {
  const typed = text.trim();
  // A character takes at least one octet, so this bounds all the work below.
  if (typed.length > MAX_ADDRESS_OCTETS || utf8Length(typed) > MAX_ADDRESS_OCTETS) return undefined;

  const quoted = typed.startsWith('"');
  const at = quoted ? endOfQuotedString(typed) : typed.indexOf('@');
  if (at < 1 || typed[at] !== '@') return undefined;

  const localText = typed.slice(0, at);
  const local = quoted ? readQuotedString(localText) : readDotString(localText);
  if (local === undefined) return undefined;

  const domainText = typed.slice(at + 1);
  const literal = domainText.startsWith('[');
  const domain = literal ? readAddressLiteral(domainText) : readDomainName(domainText);
  if (domain === undefined) return undefined;

  const normalized = `${local}@${domain.ascii}`;
  if (utf8Length(normalized) > MAX_ADDRESS_OCTETS) return undefined;
  return {
    typed,
    normalized,
    local,
    asciiDomain: domain.ascii,
    unicodeDomain: domain.unicode,
    quoted,
    literal,
  };
}
