import {
  type ClientOptions,
  createClient,
  type PosternClient,
  type ValidateOptions,
  type Validation,
} from '@postern/sdk-core';
import { type CallerOptions, type ContextLike, callerOf, type RequestLike } from './caller.ts';
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

export interface PosternOptions
  extends ClientOptions,
    CallerOptions,
    Omit<VerdictVerifierOptions, 'baseUrl' | 'projectId' | 'fetch'> {}

export interface ServerValidateOptions extends ValidateOptions {
  /** Where `ip` and `userAgent` come from, unless they are given. */
  request?: RequestLike | ContextLike;
}

export interface Postern extends PosternClient, VerdictVerifier {
  validate(email: string, options?: ServerValidateOptions): Promise<Validation>;
  /** The whole question of a sign-up handler: the form’s token if it holds, else the service. */
  evaluateSignUp(signUp: SignUp, options?: EvaluateOptions): Promise<EvaluatedSignUp>;
}

/** A backend’s Postern. `apiKey` is a server key: keep it out of pages. */
export function createPostern(options: PosternOptions): Postern {
  const client = createClient(options, { name: 'node' });
  const verifier = createVerdictVerifier(options);
  return {
    whenUnreachable: client.whenUnreachable,
    validate: (email, { request, ...rest } = {}) => {
      const caller = request === undefined ? {} : callerOf(request, options);
      return client.validate(email, { ...caller, ...rest });
    },
    verifyVerdict: verifier.verifyVerdict,
    evaluateSignUp: (signUp, evaluateOptions) =>
      evaluateSignUp(client, verifier, signUp, { ...options, ...evaluateOptions }),
  };
}
