import type { CheckName } from './checks.ts';
import { ENGLISH_FORM } from './languages/english-form.ts';

export const MESSAGE_TONES = ['plain', 'friendly'] as const;
export type MessageTone = (typeof MESSAGE_TONES)[number];

/** The message that gives no reason. The project’s own lists and rules answer with it. */
export const NEUTRAL_MESSAGE: CheckName = 'device';

/**
 * What a sign-up form shows the person in English, by the failed check that decided. None tells which data gave
 * somebody away. Other languages are in `languages/`.
 */
export const MESSAGES: Readonly<Record<MessageTone, Readonly<Record<CheckName, string>>>> = {
  plain: {
    syntax: ENGLISH_FORM.malformed,
    disposable: 'Please use a permanent email address.',
    mx: 'This address cannot receive mail. Please check the part after the @.',
    roleEmail: 'Please use your personal email address instead of a shared mailbox.',
    alias: 'Please use the main address of your mailbox.',
    device: 'We could not accept this sign-up automatically. Please contact support.',
    ip: 'We could not verify this sign-up. Please try again from another connection.',
  },
  friendly: {
    syntax: 'Hmm, that address does not look like one we can write to. Could you check it?',
    disposable: 'We would love to stay in touch: could you use an address that you keep?',
    mx: 'We cannot reach that address. Is the part after the @ spelled right?',
    roleEmail: 'Could you use your own address instead of a shared mailbox?',
    alias: 'Could you use the main address of your mailbox?',
    device: 'We could not finish this one automatically. Write to us and we will sort it out.',
    ip: 'We could not verify this one. Could you try from another connection?',
  },
};
