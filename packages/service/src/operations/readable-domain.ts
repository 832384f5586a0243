import { domainToUnicode } from '../model/idna.ts';
import { isLookAlikeDomain } from '../model/look-alike.ts';

/** The domain as people write it: `bücher.de` for `xn--bcher-kva.de`. One that imitates another stays as it is. */
export function readableDomain(domain: string): string {
  if (!domain.includes('xn--')) return domain;
  const readable = domainToUnicode(domain);
  return readable === undefined || isLookAlikeDomain(readable) ? domain : readable;
}

/** The same for a masked address. */
export function readableAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + readableDomain(address.slice(at));
}
