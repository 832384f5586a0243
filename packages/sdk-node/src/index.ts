export {
  type ClientOptions,
  type FailureKind,
  type Fetch,
  isPosternError,
  type PosternError,
  type ServerFallback,
  type ValidateOptions,
  type Validation,
} from 'postern~sdk/core';
export type {
  CheckName,
  ClaimReason,
  ClaimResponse,
  ClaimTrace,
  Outcome,
  OutcomeRequest,
  OutcomesResponse,
  Recommendation,
  RequestEvent,
  Signal,
  VerdictClaims,
  VerdictKeySet,
  WebhookEvent,
  WebhookPayload,
} from '@postern/contract';
export { type AuthJsOptions, authJsSignIn } from './adapters/auth-js.ts';
export { type BetterAuthOptions, betterAuthPlugin } from './adapters/better-auth.ts';
export { expressGuard } from './adapters/express.ts';
export { fastifyGuard } from './adapters/fastify.ts';
export { checkEvent } from './adapters/h3.ts';
export { honoGuard } from './adapters/hono.ts';
export { koaGuard } from './adapters/koa.ts';
export { nestGuard } from './adapters/nest.ts';
export {
  type CheckedRequest,
  checkFormData,
  checkRequest,
  guardEvent,
  guardRequest,
} from './adapters/web-request.ts';
export { type Caller, type CallerOptions, type ContextLike, getCaller, type RequestLike } from './caller.ts';
export type { Claim, ClaimOptions, ReleaseClaim } from './claim.ts';
export { emailHash } from './email-hash.ts';
export type { EvaluateOptions, GuardOptions, RefusalOptions } from './evaluate-options.ts';
export type { SignUp } from './evaluate-sign-up.ts';
export { getSignUp } from './guard.ts';
export type { OfflineListStore } from './offline-list.ts';
export {
  createPosternServerClient,
  type PingResult,
  type PosternServerClient,
  type ServerValidateOptions,
} from './postern-server-client.ts';
export { memoryReplayStore, type ReplayStore } from './replay-store.ts';
export {
  type KvLike,
  kvReplayStore,
  type RedisLike,
  type RunSql,
  redisReplayStore,
  sqlReplayStore,
} from './replay-stores.ts';
export type { ReportOutcome } from './report-outcome.ts';
export type { PosternServerClientOptions } from './server-options.ts';
export type { AcceptedSignUp, EvaluatedSignUp, RefusedSignUp, SignUpFacts } from './sign-up-result.ts';
export {
  createVerdictVerifier,
  type ExpectedVerdict,
  type VerdictRefusal,
  type VerdictResult,
  type VerdictVerifier,
  type VerdictVerifierOptions,
} from './verify-verdict.ts';
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookOptions,
  type WebhookRefusal,
  type WebhookResult,
} from './verify-webhook.ts';
