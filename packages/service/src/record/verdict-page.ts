import { createPublicKey, hash, hkdfSync, randomBytes, verify } from 'node:crypto';
import { VERDICT_TYPE, type VerdictClaims } from '@postern/contract';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { NONCE_BYTES, seal, unseal } from './sealed-answer.ts';
import type { VerdictSigner } from './verdict.ts';

/** What a page’s request had that a later request of the same person lacks. */
export interface PageFacts {
  readonly fingerprintHash?: string;
  readonly ip?: string;
  readonly userAgent?: string;
}

/** Only what can be read again must fit: a long user agent would make each verdict long. */
const MAX_USER_AGENT = 300;
const MAX_VERDICT = 8_192;

export interface PageSeal {
  readonly seal: (facts: PageFacts) => string;
  readonly open: (sealed: string) => PageFacts | undefined;
}

/** With a key of this installation: a page and a backend carry the facts, and cannot read or change them. */
export function createPageSeal(secret: string): PageSeal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'postern page facts', 32));
  return {
    seal: ({ fingerprintHash, ip, userAgent }) => {
      const text = JSON.stringify({ fingerprintHash, ip, userAgent: userAgent?.slice(0, MAX_USER_AGENT) });
      return seal(text, key, randomBytes(NONCE_BYTES)).toString('base64url');
    },
    open: (sealed) => {
      try {
        return JSON.parse(unseal(Buffer.from(sealed, 'base64url'), key)) as PageFacts;
      } catch {
        return undefined;
      }
    },
  };
}

/** What a page’s verdict says to a hook. */
interface VerdictPage extends PageFacts {
  /** The person did what a flag asked for. */
  readonly steppedUp?: true;
}

/** The facts in a verdict that this installation signed for that project and address, while it is valid. */
export type ReadVerdictPage = (
  verdict: unknown,
  projectId: string,
  email: unknown,
) => VerdictPage | undefined;

export function createVerdictPageReader(
  pageSeal: PageSeal,
  signer: () => VerdictSigner,
  now: () => number,
): ReadVerdictPage {
  return (verdict, projectId, email) => {
    if (typeof verdict !== 'string' || verdict.length > MAX_VERDICT || typeof email !== 'string')
      return undefined;
    const address = parseEmailAddress(email.trim());
    const claims = readClaims(verdict, signer(), now());
    if (address === undefined || claims === undefined || claims.aud !== projectId) return undefined;
    if (claims.sub !== hash('sha256', address.normalized, 'base64url')) return undefined;
    const page = claims.page === undefined ? undefined : pageSeal.open(claims.page);
    return claims.steppedUp === undefined ? page : { ...page, steppedUp: true };
  };
}

function readClaims(verdict: string, signer: VerdictSigner, now: number): VerdictClaims | undefined {
  try {
    const [header = '', payload = '', signature = ''] = verdict.split('.');
    const { typ, kid } = parsePart(header) as { typ?: string; kid?: string };
    const jwk = signer.keySet(now).keys.find((key) => key.kid === kid);
    if (typ !== VERDICT_TYPE || jwk === undefined) return undefined;
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const signed = Buffer.from(`${header}.${payload}`);
    if (!verify(null, signed, key, Buffer.from(signature, 'base64url'))) return undefined;
    const claims = parsePart(payload) as VerdictClaims;
    return claims.exp * 1_000 > now ? claims : undefined;
  } catch {
    return undefined;
  }
}

function parsePart(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}
