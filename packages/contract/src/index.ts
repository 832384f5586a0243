export {
  CAPTCHA_VENDORS,
  type CaptchaVendor,
  CHALLENGE_LIFETIME_MS,
  CHALLENGE_TRIES,
  CHALLENGES_PATH,
  type Challenge,
  type ChallengeRequest,
  type ChallengeResponse,
  CODE_DIGITS,
  type CodeSent,
  type ProofFailed,
  type ProofPassed,
  RESEND_AFTER_SECONDS,
  readChallengeRequest,
  STEP_UP_KINDS,
  STEP_UPS,
  type StepUp,
  type StepUpKind,
  TEST_CODE,
  type WorkParameters,
} from './challenges.ts';
export { CHECK_METADATA } from './check-metadata.ts';
export {
  ACTIONS,
  type Action,
  CHECK_NAMES,
  type CheckActions,
  type CheckName,
  DEFAULT_ACTIONS,
  isAction,
  isCheckName,
  type Recommendation,
} from './checks.ts';
export {
  CLAIMS_PATH,
  type ClaimReason,
  type ClaimRequest,
  type ClaimResponse,
  type ClaimsResponse,
  type ClaimTrace,
  MAX_TRACES,
  type ReadClaim,
  readClaim,
} from './claims.ts';
export {
  DISPOSABLE_LIST_MAX_BYTES,
  DISPOSABLE_LIST_PATH,
  DISPOSABLE_LIST_TYPE,
  type DisposableList,
  type DisposableListClaims,
  type DisposableSets,
  decodeDisposableList,
  domainHash,
  encodeDisposableList,
  joinHash,
} from './disposable-list.ts';
export { DAY_MS, HOUR_MS, MAX_LIFETIME_DAYS, MINUTE_MS } from './durations.ts';
export {
  API_ERRORS,
  type ApiError,
  apiError,
  type ErrorBody,
  type ErrorName,
  fieldInvalid,
  originNotAllowed,
  type QuotaErrorBody,
  type QuotaFacts,
  quotaExceeded,
  type RateErrorBody,
  type RateFacts,
  rateLimited,
} from './errors.ts';
export { DEFAULT_EVENT, EVENT_RULE, isRequestEvent, REQUEST_EVENTS, type RequestEvent } from './events.ts';
export { explainCheck, type ResultKind, resultKindOf } from './explain-check.ts';
export { explainOwnDecision } from './explain-own-decision.ts';
export {
  CORS_ALLOWED_HEADERS,
  CORS_EXPOSED_HEADERS,
  HEADERS,
  type HeaderName,
  LIMIT_HEADERS,
  type LimitHeader,
  VALIDATE_PATHS,
} from './headers.ts';
export {
  HOOK_FORMAT_NAMES,
  HOOK_FORMATS,
  HOOKS_PATH,
  type HookFormat,
  isHookFormat,
  MAX_HOOK_BODY_BYTES,
  OPEN_REASONS,
  type OpenReason,
} from './hooks.ts';
export { KEY_PREFIXES, KEY_ROTATION_DAYS, KEY_TYPES, type KeyType } from './keys.ts';
export { chooseLanguage } from './languages/choose-language.ts';
export { ENGLISH_FORM } from './languages/english-form.ts';
export { findFormTexts } from './languages/form-texts.ts';
export type { FormTexts, Language } from './languages/language.ts';
export { findLanguageTag, LANGUAGE_TAGS, type LanguageTag } from './languages/language-tags.ts';
export { builtInMessage, LANGUAGES, type Message } from './languages/languages.ts';
export { type ChallengeTexts, challengeTexts, STEP_UP_TEXTS } from './languages/step-up-texts.ts';
export { MESSAGES, type MessageName, NEUTRAL_MESSAGE } from './messages.ts';
export {
  characters,
  MAX_OUTCOME_REASON,
  MAX_OUTCOMES,
  MAX_OUTCOMES_BODY_BYTES,
  OUTCOMES,
  OUTCOMES_PATH,
  type Outcome,
  type OutcomeRequest,
  type OutcomesRequest,
  type OutcomesResponse,
  type ReadOutcome,
  readOutcome,
  readOutcomes,
} from './outcomes.ts';
export {
  deviceSeenSignal,
  isPolicySignal,
  POLICY_SIGNALS,
  type PolicySignal,
  SIGNALS,
  type Signal,
  type SignalActions,
  signalFamily,
} from './signals.ts';
export {
  MAX_BODY_BYTES,
  MAX_FINGERPRINT_LENGTH,
  type Read,
  readBody,
  readEmail,
  readOptions,
  type ValidateOptions,
  type ValidateRequest,
} from './validate-request.ts';
export type { CheckResult, ResponseMetadata, ValidateResponse } from './validate-response.ts';
export {
  VERDICT_LIFETIME_SECONDS,
  VERDICT_TYPE,
  type VerdictClaims,
  type VerdictKey,
  type VerdictKeySet,
} from './verdict.ts';
export {
  namesOfEvents,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
  WEBHOOK_HEADERS,
  WEBHOOK_SECRET_PREFIX,
  type WebhookData,
  type WebhookEvent,
  type WebhookEvents,
  type WebhookFilter,
  type WebhookFormat,
  type WebhookPayload,
} from './webhooks.ts';
