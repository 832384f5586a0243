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
export {
  BOUND_FIELD_OPTIONS,
  type BoundFieldActions,
  type BoundFieldOptions,
  type BoundFieldView,
  fieldView,
  type SubmittedEmail,
} from './bound-field.ts';
export { checkLocally, type LocalCheck } from './check-locally.ts';
export {
  CLIENT_OPTIONS,
  type ClientOptions,
  checkOptionNames,
  type Fallback,
  type ServerFallback,
} from './client-options.ts';
export { type DeviceHash, startDeviceHash } from './device-hash.ts';
export {
  canSubmit,
  createEmailField,
  type EmailField,
  type EmailFieldOptions,
  type EmailFieldState,
  type EmailFieldStatus,
} from './email-field.ts';
export { errorAnswer } from './error-answer.ts';
export type { EmailFieldTexts, FieldMessages, FieldProblem, ProblemKey } from './field-texts.ts';
export {
  type Fetch,
  type FetchResponse,
  type HttpAnswer,
  type RateWindow,
  readAnswer,
} from './http-answer.ts';
export {
  type FailureKind,
  isPosternError,
  type PosternError,
  type PosternFailure,
  posternError,
} from './postern-error.ts';
export { SDK_VERSION } from './sdk-version.ts';
export type { Timing } from './timing.ts';
export type { Validation } from './validation.ts';
export {
  createValidationClient,
  type OfflineCheck,
  type Platform,
  type ValidateOptions,
  type ValidationClient,
} from './validation-client.ts';
