export {
  type CheckActions,
  checkLocally,
  createEmailField,
  type EmailField,
  type EmailFieldOptions,
  type EmailFieldState,
  type EmailFieldStatus,
  isPosternError,
  type LocalCheck,
  mayPass,
  type PosternError,
  type PosternFailure,
  type Recommendation,
  type Signal,
  type ValidateOptions,
  type Validation,
} from '@postern/sdk-core';
export type { AppIdentity } from './app-identity.ts';
export { createPostern, type Postern, type PosternOptions } from './postern.ts';
export type { DeviceIdStorage } from './random-device-id.ts';
