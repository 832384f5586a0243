export {
  type CheckActions,
  canSubmit,
  checkLocally,
  createEmailField,
  type EmailField,
  type EmailFieldOptions,
  type EmailFieldState,
  type EmailFieldStatus,
  isPosternError,
  type LocalCheck,
  type PosternError,
  type PosternFailure,
  type Recommendation,
  type Signal,
  type ValidateOptions,
  type Validation,
} from 'postern~sdk/core';
export type { AppIdentity } from './app-identity.ts';
export { createPosternClient, type PosternClient, type PosternClientOptions } from './postern-client.ts';
export type { DeviceIdStorage } from './random-device-id.ts';
