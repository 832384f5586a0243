import { MESSAGES } from '../messages.ts';
import { ENGLISH_FORM } from './english-form.ts';
import type { Language } from './language.ts';

export const ENGLISH: Language = {
  tag: 'en',
  form: ENGLISH_FORM,
  messages: MESSAGES,
  again: 'Please check your email address and send the form again.',
  withScript: 'Please switch on JavaScript in your browser and send the form again.',
  goBack: 'Please go back and try again.',
};
