import type { EmailAddress } from '../model/email-address.ts';

/** The address as the log may keep it: enough for a person to recognise, too little to write to. */
export function maskAddress(address: EmailAddress): string {
  const first = address.local.codePointAt(0);
  const shown = first === undefined || address.local.length < 3 ? '' : String.fromCodePoint(first);
  return `${shown}***@${address.asciiDomain}`;
}
