export type {
  CheckActions,
  CheckName,
  CheckResult,
  FormTexts,
  QuotaFacts,
  Recommendation,
  Signal,
  ValidateResponse,
} from '@postern/contract';
export { ENGLISH_FORM, findFormTexts } from '@postern/contract';
export { checkLocally, type LocalCheck } from './core/check-locally.ts';
export {
  CLIENT_OPTIONS,
  type ClientOptions,
  checkOptionNames,
  type Fallback,
  type ServerFallback,
} from './core/client-options.ts';
export { type DeviceHash, startDeviceHash } from './core/device-hash.ts';
export {
  canSubmit,
  createEmailField,
  type EmailField,
  type EmailFieldOptions,
  type EmailFieldState,
  type EmailFieldStatus,
} from './core/email-field.ts';
export { errorAnswer } from './core/error-answer.ts';
export type { EmailFieldTexts, FieldMessages, FieldProblem, ProblemKey } from './core/field-texts.ts';
export {
  type Fetch,
  type FetchResponse,
  type HttpAnswer,
  type RateWindow,
  readAnswer,
} from './core/http-answer.ts';
export {
  type FailureKind,
  isPosternError,
  type PosternError,
  type PosternFailure,
  posternError,
} from './core/postern-error.ts';
export { SDK_VERSION } from './core/sdk-version.ts';
export type { Timing } from './core/timing.ts';
export type { Validation } from './core/validation.ts';
export {
  createValidationClient,
  type OfflineCheck,
  type Platform,
  type ValidateOptions,
  type ValidationClient,
} from './core/validation-client.ts';
