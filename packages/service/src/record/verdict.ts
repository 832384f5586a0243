import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import {
  type CheckName,
  DAY_MS,
  MINUTE_MS,
  type StepUpKind,
  VERDICT_LIFETIME_SECONDS,
  VERDICT_TYPE,
  type VerdictClaims,
  type VerdictKey,
  type VerdictKeySet,
} from '@postern/contract';
import { getOrMake } from '../model/get-or-make.ts';
import { jsonString, jsonStrings } from '../model/json-text.ts';
import { whenReady } from '../model/when-ready.ts';
import type { SigningKey } from '../store/tables/instance-table.ts';

/** The verdict’s claims, see `VerdictClaims`. Built by hand for speed, because every request writes them. */
function writeClaims(facts: VerdictFacts): string {
  const iat = Math.floor(facts.now / 1000);
  const times = `"iat":${iat},"exp":${iat + VERDICT_LIFETIME_SECONDS}`;
  const names = `"aud":${jsonString(facts.projectId)},"sub":"${facts.sub}","jti":"${randomUUID()}","requestId":${jsonString(facts.requestId)}`;
  const verdict = `"recommendation":"${facts.recommendation}","signals":${jsonStrings(facts.signals)},"mode":"${facts.mode}","checks":${jsonStrings(facts.checks)},"event":"${facts.event}"`;
  const weakened = facts.weakened ? ',"weakened":true' : '';
  const page = facts.page === undefined ? '' : `,"page":"${facts.page}"`;
  const steppedUp = facts.steppedUp === undefined ? '' : `,"steppedUp":"${facts.steppedUp}"`;
  const without = facts.without.length === 0 ? '' : `,"without":${jsonStrings(facts.without)}`;
  const quiet = facts.quiet ? ',"quiet":true' : '';
  return `{"iss":"postern",${names},${times},${verdict}${weakened}${without}${quiet}${steppedUp}${page}}`;
}

/** How long a retired key’s public half stays published, so that its verdicts can still be verified. */
const RETIRED_FOR_MS = DAY_MS;

export interface VerdictSigner {
  /** The signed token, a compact JWS (RFC 7515) with EdDSA (RFC 8037); synchronous where the signature is. */
  sign(facts: VerdictFacts): string | Promise<string>;
  /** Signs a document other than a verdict, distinguished by its `typ`. */
  signDocument(type: string, claims: object, now: number): Promise<string>;
  keySet(now: number): VerdictKeySet;
}

export interface VerdictFacts
  extends Pick<VerdictClaims, 'recommendation' | 'signals' | 'mode' | 'requestId' | 'checks' | 'event'> {
  readonly projectId: string;
  /** `emailHash` of the address. */
  readonly sub: string;
  /** Whether the request’s `validations` asked for less than the project’s policy. */
  readonly weakened: boolean;
  /** Checks of the policy that did not run because the request lacked their input. */
  readonly without: readonly CheckName[];
  /** Whether the signals were left out. */
  readonly quiet: boolean;
  readonly steppedUp?: StepUpKind | undefined;
  /** Sealed, see `createPageSeal`. */
  readonly page?: string | undefined;
  readonly now: number;
}

/**
 * A new key is published immediately and signs later, because verifiers can cache the key set for five minutes and
 * other processes read the keys up to half a minute later. Until then its predecessor signs.
 */
const SIGNS_AFTER_MS = 6 * MINUTE_MS;

interface KeySigner {
  readonly kid: string;
  readonly sign: SignEd25519;
  /** The token’s first part, base64url. */
  readonly header: string;
}

export function createVerdictSigner(keys: readonly SigningKey[]): VerdictSigner {
  const newestFirst = [...keys].sort((a, b) => b.createdAt - a.createdAt);
  const oldest = oldestOf(newestFirst);
  const signers = new Map<string, KeySigner>();

  function signerAt(now: number): KeySigner {
    const key = newestFirst.find(({ createdAt }) => createdAt + SIGNS_AFTER_MS <= now) ?? oldest;
    return getOrMake(signers, key.kid, () => {
      const header = base64url(JSON.stringify({ alg: 'EdDSA', typ: VERDICT_TYPE, kid: key.kid }));
      return { kid: key.kid, sign: ed25519Signer(createPrivateKey(key.privateKey)), header };
    });
  }

  return {
    sign: (facts) => {
      const { sign, header } = signerAt(facts.now);
      const signed = `${header}.${base64url(writeClaims(facts))}`;
      return whenReady(sign(Buffer.from(signed, 'latin1')), (signature) => token(signed, signature));
    },
    signDocument: async (type, claims, now) => {
      const { sign, kid } = signerAt(now);
      const header = base64url(JSON.stringify({ alg: 'EdDSA', typ: type, kid }));
      const signed = `${header}.${base64url(JSON.stringify(claims))}`;
      return token(signed, await sign(Buffer.from(signed, 'latin1')));
    },
    keySet: (now) => ({
      keys: keys
        .filter((key) => key.retiredAt === null || now - key.retiredAt < RETIRED_FOR_MS)
        .map((key) => key.publicKey),
    }),
  };
}

/** The address as a verdict names it: lower case, NFC, A-label domain, hashed. */
export function emailHash(normalizedAddress: string): string {
  return hash('sha256', normalizedAddress, 'base64url');
}

function token(signed: string, signature: Buffer): string {
  return `${signed}.${signature.toString('base64url')}`;
}

function oldestOf(newestFirst: readonly SigningKey[]): SigningKey {
  const oldest = newestFirst.at(-1);
  if (oldest === undefined) throw new Error('The store has no signing key');
  return oldest;
}

export function makeSigningKey(now: number): SigningKey {
  return signingKeyOf(generateKeyPairSync('ed25519').privateKey, now);
}

export function signingKeyOf(privateKey: KeyObject, createdAt: number): SigningKey {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x === undefined) throw new Error('An Ed25519 key has no x');
  // RFC 7638: the thumbprint names the key by its own content.
  const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
  const published: VerdictKey = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x };
  return {
    kid,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: published,
    createdAt,
    retiredAt: null,
  };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Signs with one Ed25519 key (RFC 8032). Ed25519 is deterministic: every implementation makes the same signature. */
export type SignEd25519 = (message: Buffer) => Buffer | Promise<Buffer>;

/** The parts we use of libsodium’s binding, which has no types. */
interface Sodium {
  crypto_sign_detached(signature: Buffer, message: Buffer, secretKey: Buffer): void;
}

const SIGNATURE_BYTES = 64;
const signAsync = promisify(sign);

/**
 * A signature is the largest single cost of a request. On x64 libsodium takes half of OpenSSL’s time; on arm64, within a
 * request, both take 60 µs. It signs synchronously, because a hand-over to another thread takes longer. Where its binary
 * does not run, OpenSSL signs in the thread pool and the event loop stays free.
 */
export function ed25519Signer(privateKey: KeyObject): SignEd25519 {
  const sodium = findSodium();
  return sodium === undefined ? threadPoolSigner(privateKey) : sodiumSigner(privateKey, sodium);
}

export function threadPoolSigner(privateKey: KeyObject): SignEd25519 {
  return (message) => signAsync(null, message, privateKey);
}

export function sodiumSigner(privateKey: KeyObject, sodium: Sodium): SignEd25519 {
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const secretKey = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]);
  return (message) => {
    const signature = Buffer.allocUnsafe(SIGNATURE_BYTES);
    sodium.crypto_sign_detached(signature, message, secretKey);
    return signature;
  };
}

let found: { readonly sodium: Sodium | undefined } | undefined;

export function findSodium(): Sodium | undefined {
  found ??= { sodium: requireSodium() };
  return found.sodium;
}

function requireSodium(): Sodium | undefined {
  try {
    return createRequire(import.meta.url)('sodium-native') as Sodium;
  } catch {
    // An optional dependency, because not every system has a binary.
    return undefined;
  }
}
