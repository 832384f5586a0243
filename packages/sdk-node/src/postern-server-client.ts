import {
  type ClientOptions,
  createValidationClient,
  type ValidateOptions,
  type Validation,
  type ValidationClient,
} from '@postern/sdk-core';
import { type CallerOptions, type ContextLike, getCaller, type RequestLike } from './caller.ts';
import {
  type EvaluatedSignUp,
  type EvaluateOptions,
  evaluateSignUp,
  type SignUp,
} from './evaluate-sign-up.ts';
import {
  createVerdictVerifier,
  type VerdictVerifier,
  type VerdictVerifierOptions,
} from './verify-verdict.ts';

export interface PosternServerClientOptions
  extends ClientOptions,
    CallerOptions,
    Omit<VerdictVerifierOptions, 'baseUrl' | 'projectId' | 'fetch'> {}

export interface ServerValidateOptions extends ValidateOptions {
  /** Where `ip` and `userAgent` come from, unless they are given. */
  request?: RequestLike | ContextLike;
}

export interface PosternServerClient extends ValidationClient, VerdictVerifier {
  validate(email: string, options?: ServerValidateOptions): Promise<Validation>;
  /** The whole question of a sign-up handler: the form’s token if it holds, else the service. */
  evaluateSignUp(signUp: SignUp, options?: EvaluateOptions): Promise<EvaluatedSignUp>;
}

/** A backend’s Postern. `apiKey` is a server key: keep it out of pages. */
export function createPosternServerClient(options: PosternServerClientOptions): PosternServerClient {
  const client = createValidationClient(options, { name: 'node' });
  const verifier = createVerdictVerifier(options);
  return {
    whenUnavailable: client.whenUnavailable,
    validate: (email, { request, ...rest } = {}) => {
      const caller = request === undefined ? {} : getCaller(request, options);
      return client.validate(email, { ...caller, ...rest });
    },
    verifyVerdict: verifier.verifyVerdict,
    evaluateSignUp: (signUp, evaluateOptions) =>
      evaluateSignUp(client, verifier, signUp, { ...options, ...evaluateOptions }),
  };
}
