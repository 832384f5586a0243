import { createPrivateKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import {
  VERDICT_LIFETIME_SECONDS,
  VERDICT_TYPE,
  type VerdictClaims,
  type VerdictKey,
  type VerdictKeySet,
} from '@postern/contract';
import type { SigningKey } from '../store/store.ts';

/** A retired key’s public half is published this much longer, so that verdicts it signed can still be checked. */
const RETIRED_FOR_MS = 24 * 60 * 60 * 1000;

const signInPool = promisify(sign);

export interface VerdictSigner {
  /**
   * The signed token, a compact JWS (RFC 7515) with EdDSA (RFC 8037). A signature takes as long as all the rest of
   * a request, so it is made in the thread pool while the event loop serves others.
   */
  sign(facts: VerdictFacts): Promise<string>;
  keySet(now: number): VerdictKeySet;
}

export interface VerdictFacts extends Pick<VerdictClaims, 'recommendation' | 'signals' | 'mode'> {
  readonly projectId: string;
  /** Lower case, NFC, A-label domain. */
  readonly normalizedAddress: string;
  readonly requestId: string;
  /** Whether the request’s `validations` asked for less than the project’s policy. */
  readonly weakened: boolean;
  readonly now: number;
}

/**
 * A new key is published at once and signs later: verifiers may hold the key set for five minutes, and another
 * process may read the keys half a minute later. Until then its predecessor signs on.
 */
const SIGNS_AFTER_MS = 6 * 60 * 1000;

export function createVerdictSigner(keys: readonly SigningKey[]): VerdictSigner {
  const newestFirst = [...keys].sort((a, b) => b.createdAt - a.createdAt);
  const oldest = oldestOf(newestFirst);
  const signers = new Map<string, { readonly privateKey: KeyObject; readonly header: string }>();

  function signerAt(now: number): { readonly privateKey: KeyObject; readonly header: string } {
    const key = newestFirst.find(({ createdAt }) => createdAt + SIGNS_AFTER_MS <= now) ?? oldest;
    let signer = signers.get(key.kid);
    if (signer === undefined) {
      const header = base64url(JSON.stringify({ alg: 'EdDSA', typ: VERDICT_TYPE, kid: key.kid }));
      signer = { privateKey: createPrivateKey(key.privateKey), header };
      signers.set(key.kid, signer);
    }
    return signer;
  }

  return {
    sign: async (facts) => {
      const { privateKey, header } = signerAt(facts.now);
      const iat = Math.floor(facts.now / 1000);
      const claims: string = JSON.stringify({
        iss: 'postern',
        aud: facts.projectId,
        sub: hash('sha256', facts.normalizedAddress, 'base64url'),
        jti: facts.requestId,
        iat,
        exp: iat + VERDICT_LIFETIME_SECONDS,
        recommendation: facts.recommendation,
        signals: facts.signals,
        mode: facts.mode,
        ...(facts.weakened && { weakened: true }),
      });
      const signed = `${header}.${base64url(claims)}`;
      const signature = await signInPool(null, Buffer.from(signed), privateKey);
      return `${signed}.${signature.toString('base64url')}`;
    },
    keySet: (now) => ({
      keys: keys
        .filter((key) => key.retiredAt === null || now - key.retiredAt < RETIRED_FOR_MS)
        .map((key) => key.publicKey),
    }),
  };
}

function oldestOf(newestFirst: readonly SigningKey[]): SigningKey {
  const oldest = newestFirst.at(-1);
  if (oldest === undefined) throw new Error('The store has no signing key');
  return oldest;
}

export function makeSigningKey(now: number): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  if (x === undefined) throw new Error('An Ed25519 key has no x');
  // RFC 7638: the thumbprint names the key by its own content.
  const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
  const published: VerdictKey = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x };
  return {
    kid,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: published,
    createdAt: now,
    retiredAt: null,
  };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
