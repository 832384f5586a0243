export {
  createPosternClient,
  type EmailFieldState,
  type EmailFieldStatus,
  type EmailFieldTexts,
  type FieldActions,
  type FieldMessages,
  type FieldProblem,
  type FieldView,
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
export { EmailInput } from './email-input.ts';
