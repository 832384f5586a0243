export type { Recommendation, Signal, VerdictClaims, VerdictKeySet } from '@postern/contract';
export {
  type ClientOptions,
  type Fetch,
  isPosternError,
  type PosternError,
  type ValidateOptions,
  type Validation,
} from '@postern/sdk-core';
export { type Caller, type CallerOptions, type ContextLike, callerOf, type RequestLike } from './caller.ts';
export { emailHash } from './email-hash.ts';
export type {
  AcceptedSignUp,
  EvaluatedSignUp,
  EvaluateOptions,
  RefusedSignUp,
  SignUp,
} from './evaluate-sign-up.ts';
export { expressGuard, fastifyGuard, type GuardOptions, honoGuard, signUpOf } from './guards.ts';
export { createPostern, type Postern, type PosternOptions, type ServerValidateOptions } from './postern.ts';
export { memoryReplayStore, type ReplayStore } from './replay-store.ts';
export {
  createVerdictVerifier,
  type VerdictRefusal,
  type VerdictResult,
  type VerdictVerifier,
  type VerdictVerifierOptions,
} from './verify-verdict.ts';
