export { type Attached, type AttachOptions, type AttachTexts, attach, CHANGE_EVENT } from './attach.ts';
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
  type ValidateOptions,
  type Validation,
  type ValidationClient,
} from './core.ts';
export { defineEmailElement } from './email-element.ts';
export { createPosternClient, type PosternClient, type PosternClientOptions } from './postern-client.ts';
