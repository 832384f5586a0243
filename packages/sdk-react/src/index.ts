export {
  createPosternClient,
  type EmailFieldState,
  type EmailFieldStatus,
  type EmailFieldTexts,
  type FieldMessages,
  type FieldProblem,
  isPosternError,
  type PosternClient,
  type PosternClientOptions,
  type PosternError,
  type ProblemKey,
  type SubmittedEmail,
  type Validation,
  type ValidationClient,
} from '@postern/sdk-browser';
export { EmailField, type EmailFieldProps } from './email-field.ts';
export { type EmailFieldBinding, type UseEmailFieldOptions, useEmailField } from './use-email-field.ts';
