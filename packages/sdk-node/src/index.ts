export type { CheckName, Recommendation, Signal, VerdictClaims, VerdictKeySet } from '@postern/contract';
export {
  type ClientOptions,
  type FailureKind,
  type Fetch,
  isPosternError,
  type PosternError,
  type ServerFallback,
  type ValidateOptions,
  type Validation,
} from '@postern/sdk-core';
export { type Caller, type CallerOptions, type ContextLike, getCaller, type RequestLike } from './caller.ts';
export { emailHash } from './email-hash.ts';
export type {
  AcceptedSignUp,
  EvaluatedSignUp,
  EvaluateOptions,
  RefusedSignUp,
  SignUp,
} from './evaluate-sign-up.ts';
export { expressGuard, fastifyGuard, type GuardOptions, getSignUp, honoGuard } from './guards.ts';
export {
  createPosternServerClient,
  type PingResult,
  type PosternServerClient,
  type PosternServerClientOptions,
  type ServerValidateOptions,
} from './postern-server-client.ts';
export { memoryReplayStore, type ReplayStore } from './replay-store.ts';
export {
  createVerdictVerifier,
  type ExpectedVerdict,
  type VerdictRefusal,
  type VerdictResult,
  type VerdictVerifier,
  type VerdictVerifierOptions,
} from './verify-verdict.ts';
