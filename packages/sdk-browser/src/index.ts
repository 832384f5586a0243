export {
  type CheckActions,
  canSubmit,
  checkLocally,
  createEmailField,
  type EmailField,
  type EmailFieldOptions,
  type EmailFieldState,
  type EmailFieldStatus,
  type EmailFieldTexts,
  type FieldMessages,
  type FieldProblem,
  type FormTexts,
  isPosternError,
  type LocalCheck,
  type PosternError,
  type PosternFailure,
  type ProblemKey,
  type Recommendation,
  type Signal,
  type SubmittedEmail,
  type ValidateOptions,
  type Validation,
  type ValidationClient,
} from '@postern/sdk-core';
export { type Attached, type AttachOptions, type AttachTexts, CHANGE_EVENT } from './attach.ts';
export {
  bindEmailField,
  type FieldActions,
  type FieldBinding,
  type FieldOptions,
  type FieldView,
} from './field-binding.ts';
export { styleField } from './field-styles.ts';
export { createPosternClient, type PosternClient, type PosternClientOptions } from './postern-client.ts';
export { withView } from './with-view.ts';
