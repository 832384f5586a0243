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
  type Validation,
  type ValidationClient,
} from '@postern/sdk-browser';
export { EmailField } from './email-field.ts';
export { type EmailFieldBinding, useEmailField } from './use-email-field.ts';
