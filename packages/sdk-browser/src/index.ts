export {
  type CheckActions,
  checkLocally,
  createEmailField,
  type EmailField,
  type EmailFieldOptions,
  type EmailFieldState,
  type EmailFieldStatus,
  type EmailFieldTexts,
  isPosternError,
  type LocalCheck,
  mayPass,
  type PosternClient,
  type PosternError,
  type PosternFailure,
  type Recommendation,
  type Signal,
  type ValidateOptions,
  type Validation,
} from '@postern/sdk-core';
export { type Attached, type AttachOptions, type AttachTexts, CHANGE_EVENT } from './attach.ts';
export { createPostern, type Postern, type PosternOptions } from './postern.ts';
