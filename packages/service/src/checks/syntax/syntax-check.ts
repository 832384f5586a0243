import type { Signal } from '@postern/contract';
import type { EmailAddress } from '../../model/email-address.ts';
import { isLookAlikeDomain, isLookAlikeLocal } from '../../model/look-alike.ts';
import { refusalOfProvider } from '../../model/provider-local-parts.ts';
import type { Check } from '../check.ts';
import { isSpecialUse } from './special-use-names.ts';
import { isTopLevelDomain } from './top-level-domains.ts';

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
  if (!isTopLevelDomain(asciiDomain.slice(lastDot + 1))) return 'The top-level domain does not exist';
  if (unicodeDomain !== asciiDomain && isLookAlikeDomain(unicodeDomain)) {
    return 'The domain mixes letters or signs that look like others';
  }
  return isLookAlikeLocal(local) ? 'The part before the @ mixes letters that look like others' : undefined;
}
