import { MESSAGES } from '../messages.ts';
import type { Language } from './language.ts';

export const ENGLISH: Language = {
  tag: 'en',
  form: {
    malformed: MESSAGES.plain.syntax,
    unavailable: 'We could not check this address right now. Please try again.',
    suggestion: 'Did you mean {address}?',
    accept: 'Use {address}',
  },
  messages: MESSAGES,
  again: 'Please check your email address and send the form again.',
  goBack: 'Please go back and try again.',
};
