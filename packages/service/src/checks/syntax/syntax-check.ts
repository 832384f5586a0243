import { createRequire } from 'node:module';
import { domainToASCII } from 'node:url';
import type { Signal } from '@postern/contract';
import type { EmailAddress } from '../../model/email-address.ts';
import { isLookAlikeDomain, isLookAlikeLocal } from '../../model/look-alike.ts';
import { refusalOfProvider } from '../../model/provider-local-parts.ts';
import type { Check } from '../check.ts';

// IANA’s list as the package `tlds` carries it, in U-labels. Node 20 warns when a module imports JSON, so this requires it.
const names: readonly string[] = createRequire(import.meta.url)('tlds');

/** Node spells them as `idna.ts` does, whose tables would take a tenth of the start-up. */
const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(names.map(domainToASCII));

/** Top-level names that are reserved with everything below them. */
const SPECIAL_USE: ReadonlySet<string> = new Set([
  // RFC 6761, 6.2 to 6.5.
  'test',
  'localhost',
  'invalid',
  'example',
  // RFC 6762, multicast DNS.
  'local',
  // RFC 7686, Tor.
  'onion',
  // RFC 9476, names outside DNS.
  'alt',
  // ICANN resolution 2024.07.29.06, private networks.
  'internal',
  // RFC 3172: infrastructure only. Holds home.arpa (RFC 8375) and the reverse zones of RFC 6761, 6.1.
  'arpa',
]);

/**
 * `example.com`, `.net` and `.org` are reserved too, but they are well-formed and people try them first. They pass here
 * and fail in the mx check through their null MX.
 */
function isSpecialUse(asciiDomain: string): boolean {
  return SPECIAL_USE.has(asciiDomain.slice(asciiDomain.lastIndexOf('.') + 1));
}

/** Text that is not an address is refused before the checks. This check finds valid addresses that no person has. */
export const syntaxCheck: Check = {
  needsDns: false,
  inspect({ address }) {
    const { normalized, asciiDomain, unicodeDomain } = address;
    const metadata = { normalized, asciiDomain, unicodeDomain };
    const facts = isOtherSpelling(address) ? { metadata, signals: LOOKALIKE } : { metadata };
    const error = unusableReason(address);
    if (error !== undefined) return { result: 'failed', error, ...facts };
    const refusal = refusalOfProvider(address.local, asciiDomain);
    return refusal === undefined
      ? { result: 'passed', ...facts }
      : { result: 'failed', error: refusal, message: 'localPart', ...facts };
  },
};

const LOOKALIKE: readonly Signal[] = ['lookalike_spelling'];
const ASCII = /^[\0-\x7f]*$/;

/**
 * Whether the domain was typed in characters that UTS #46 maps to others. Each such spelling reaches the same inbox, so
 * one person could have many accounts on a site that compares what was typed.
 */
function isOtherSpelling({ typed, unicodeDomain }: EmailAddress): boolean {
  const domain = typed.slice(typed.lastIndexOf('@') + 1);
  return !ASCII.test(domain) && domain.normalize('NFC').toLowerCase() !== unicodeDomain;
}

function unusableReason(address: EmailAddress): string | undefined {
  const { local, asciiDomain, unicodeDomain } = address;
  if (address.quoted) return 'The part before the @ is quoted';
  if (address.literal) return 'The part after the @ is an IP address';

  const lastDot = asciiDomain.lastIndexOf('.');
  // RFC 7085: names without a dot cannot receive mail on the internet, whatever their DNS records say.
  if (lastDot === -1) return 'The domain has no dot';
  if (isSpecialUse(asciiDomain)) return 'The domain is reserved and receives no mail';
  if (!TOP_LEVEL_DOMAINS.has(asciiDomain.slice(lastDot + 1))) return 'The top-level domain does not exist';
  if (unicodeDomain !== asciiDomain && isLookAlikeDomain(unicodeDomain)) {
    return 'The domain mixes letters or signs that look like others';
  }
  return isLookAlikeLocal(local) ? 'The part before the @ mixes letters that look like others' : undefined;
}
