/** The entry point `@postern/contract`, for the service and the SDKs. A name for each value: `export *` makes the page’s script larger. */
export type * from './challenges.ts';
export {
  CAPTCHA_VENDORS,
  CHALLENGE_LIFETIME_MS,
  CHALLENGE_TRIES,
  CHALLENGES_PATH,
  CODE_DIGITS,
  RESEND_AFTER_SECONDS,
  readChallengeRequest,
  STEP_UP_KINDS,
  STEP_UPS,
  TEST_CODE,
} from './challenges.ts';
export { CHECK_METADATA } from './check-metadata.ts';
export type * from './checks.ts';
export { ACTIONS, CHECK_NAMES, DEFAULT_ACTIONS, isAction, isCheckName } from './checks.ts';
export type * from './claims.ts';
export { CLAIMS_PATH, MAX_TRACES } from './claims.ts';
export type * from './disposable-list.ts';
export {
  DISPOSABLE_LIST_MAX_BYTES,
  DISPOSABLE_LIST_PATH,
  DISPOSABLE_LIST_TYPE,
  decodeDisposableList,
  domainHash,
  encodeDisposableList,
  joinHash,
} from './disposable-list.ts';
export { DAY_MS, HOUR_MS, MAX_LIFETIME_DAYS, MINUTE_MS } from './durations.ts';
export type * from './errors.ts';
export {
  API_ERRORS,
  apiError,
  fieldInvalid,
  originNotAllowed,
  quotaExceeded,
  rateLimited,
} from './errors.ts';
export type * from './events.ts';
export { DEFAULT_EVENT, EVENT_RULE, isRequestEvent, REQUEST_EVENTS } from './events.ts';
export type * from './explain-check.ts';
export { explainCheck, explainOwnDecision, resultKindOf } from './explain-check.ts';
export type * from './headers.ts';
export {
  CORS_ALLOWED_HEADERS,
  CORS_EXPOSED_HEADERS,
  HEADERS,
  LIMIT_HEADERS,
  PAGE_REPORTS_PATH,
  VALIDATE_PATHS,
} from './headers.ts';
export type * from './hooks.ts';
export {
  HOOK_FORMAT_NAMES,
  HOOK_FORMATS,
  HOOKS_PATH,
  isHookFormat,
  MAX_HOOK_BODY_BYTES,
  OPEN_REASONS,
} from './hooks.ts';
export type * from './keys.ts';
export { KEY_PREFIXES, KEY_ROTATION_DAYS, KEY_TYPES } from './keys.ts';
export { chooseLanguage } from './languages/choose-language.ts';
export type * from './languages/english.ts';
export { ENGLISH_FORM, MESSAGES, NEUTRAL_MESSAGE } from './languages/english.ts';
export type * from './languages/form-texts.ts';
export { findFormTexts } from './languages/form-texts.ts';
export type * from './languages/language-tags.ts';
export { findLanguageTag, LANGUAGE_TAGS } from './languages/language-tags.ts';
export type * from './languages/languages.ts';
export { builtInMessage, LANGUAGES } from './languages/languages.ts';
export type * from './languages/step-up-texts.ts';
export { challengeTexts, STEP_UP_TEXTS } from './languages/step-up-texts.ts';
export type * from './outcomes.ts';
export {
  characters,
  MAX_OUTCOME_REASON,
  MAX_OUTCOMES,
  MAX_OUTCOMES_BODY_BYTES,
  OUTCOMES,
  OUTCOMES_PATH,
  readOutcome,
  readOutcomes,
} from './outcomes.ts';
export type * from './signals.ts';
export { deviceSeenSignal, isPolicySignal, POLICY_SIGNALS, SIGNALS, signalFamily } from './signals.ts';
export type * from './validate-request.ts';
export {
  MAX_BODY_BYTES,
  MAX_FINGERPRINT_LENGTH,
  readBody,
  readEmail,
  readOptions,
} from './validate-request.ts';
export type * from './validate-response.ts';
export type * from './verdict.ts';
export { VERDICT_LIFETIME_SECONDS, VERDICT_TYPE } from './verdict.ts';
export type * from './webhooks.ts';
export {
  MOST_COUNTED_DELIVERIES,
  namesOfEvents,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
  WEBHOOK_HEADERS,
  WEBHOOK_NAME_LENGTH,
  WEBHOOK_SECRET_PREFIX,
} from './webhooks.ts';
