/** The SDKs have it built in, so that a page in English loads no language. */
export const ENGLISH_FORM = {
  malformed: 'Please enter an email address that can receive mail.',
  unavailable: 'We could not check this address right now. Please try again.',
  checking: 'Checking the address…',
  suggestion: 'Did you mean {address}?',
  accept: 'Use {address}',
} as const;
