// The subpath `postern~sdk-react-native/react`, so that apps without the hook do not need React’s types.
export type { SubmittedEmail } from './bound-field.ts';
export type { CodeQuestion } from './use-challenge.ts';
export { type EmailFieldBinding, type UseEmailFieldOptions, useEmailField } from './use-email-field.ts';
