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
  isPosternError,
  type LocalCheck,
  type PosternError,
  type PosternFailure,
  type Recommendation,
  type Signal,
  type ValidateOptions,
  type Validation,
  type ValidationClient,
} from '@postern/sdk-core';
export { type Attached, type AttachOptions, type AttachTexts, CHANGE_EVENT } from './attach.ts';
export { createPosternClient, type PosternClient, type PosternClientOptions } from './postern-client.ts';
