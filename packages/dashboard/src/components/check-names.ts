import { type CheckName, SIGNALS, signalFamily } from '@postern/contract';

/** The display name of a check and its description. */
export const CHECKS: Readonly<Record<CheckName, { title: string; asks: string }>> = {
  syntax: { title: 'Syntax', asks: 'Is it a valid address that a person could use?' },
  disposable: { title: 'Disposable', asks: 'Is it a throwaway address?' },
  mx: { title: 'Mail servers', asks: 'Can the domain receive mail at all?' },
  roleEmail: { title: 'Role address', asks: 'Is it a shared mailbox, such as info@ or sales@?' },
  alias: { title: 'Alias', asks: 'Is it another spelling of an inbox, or one that was seen before?' },
  device: { title: 'Device', asks: 'How many other inboxes has this device signed up with?' },
  ip: { title: 'IP address', asks: 'Does it come from Tor, a VPN, a proxy or a hosting network?' },
};

/** The name of a signal in the contract, with `<N>` instead of a number. */

/** What a signal means, in the contract’s own words, which mark code with backticks. */
export function signalMeaning(signal: string): string | undefined {
  const name = signalFamily(signal);
  if (!Object.hasOwn(SIGNALS, name)) return undefined;
  return SIGNALS[name as keyof typeof SIGNALS].meaning.replace(/; see `\w+`/, '').replaceAll('`', '');
}
