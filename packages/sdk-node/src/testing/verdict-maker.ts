import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import {
  VERDICT_LIFETIME_SECONDS,
  VERDICT_TYPE,
  type VerdictClaims,
  type VerdictKeySet,
} from '@postern/contract';
import { emailHash } from '../email-hash.ts';

export interface VerdictMaker {
  readonly keySet: VerdictKeySet;
  sign(email: string, claims: Partial<VerdictClaims>): Promise<string>;
}

/** Signs verdicts with a key of its own, as the service does. */
export function createVerdictMaker(projectId: string): VerdictMaker {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kid = randomUUID();
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    keySet: { keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x }] },
    sign: async (email, claims) => {
      const iat = Math.floor(Date.now() / 1000);
      const all: VerdictClaims = {
        iss: 'postern',
        aud: projectId,
        sub: await emailHash(email),
        jti: randomUUID(),
        requestId: randomUUID(),
        iat,
        exp: iat + VERDICT_LIFETIME_SECONDS,
        recommendation: 'allow',
        signals: [],
        mode: 'live',
        event: 'sign_up',
        checks: ['syntax', 'disposable', 'mx', 'roleEmail', 'alias', 'device', 'ip'],
        ...claims,
      };
      const signed = `${encode({ alg: 'EdDSA', typ: VERDICT_TYPE, kid })}.${encode(all)}`;
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
    },
  };
}
