import type { CheckName } from '../checks.ts';

/** What a form says on its own. The SDKs have it built in, so that a page in English loads no language. */
export const ENGLISH_FORM = {
  malformed: 'Please enter an email address that can receive mail.',
  unavailable: 'We could not check this address right now. Please try again.',
  checking: 'Checking the address…',
  suggestion: 'Did you mean {address}?',
  accept: 'Use {address}',
} as const;

/** The message that gives no reason. The project’s own lists and rules answer with it. */
export const NEUTRAL_MESSAGE: CheckName = 'device';

/** `localPart`: the syntax check failed because the mail provider issues no such name. */
export type MessageName = CheckName | 'localPart';

/**
 * What a sign-up form shows the person in English, by the failed check that decided. None says which data gave
 * the person away. Other languages are in `answer-texts.json`.
 */
export const MESSAGES: Readonly<Record<MessageName, string>> = {
  syntax: ENGLISH_FORM.malformed,
  disposable: 'Please use a permanent email address.',
  mx: 'This address cannot receive mail. Please check the part after the @.',
  roleEmail: 'Please use your personal email address instead of a shared mailbox.',
  alias: 'Please use the main address of your mailbox.',
  device: 'We could not accept this sign-up automatically. Please contact support.',
  ip: 'We could not verify this sign-up. Please try again from another connection.',
  localPart: 'There is no such address at its mail provider. Please check the part before the @.',
};
