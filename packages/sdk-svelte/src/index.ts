export {
  createPosternClient,
  type EmailFieldState,
  type EmailFieldStatus,
  type EmailFieldTexts,
  type FieldMessages,
  type FieldOptions,
  type FieldProblem,
  isPosternError,
  type PosternClient,
  type PosternClientOptions,
  type PosternError,
  type ProblemKey,
  type SubmittedEmail,
  styleField,
  type Validation,
  type ValidationClient,
} from '@postern/sdk-browser';
export { type EmailFieldBinding, type UseEmailFieldOptions, useEmailField } from './use-email-field.ts';
