import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  hash,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { VERDICT_TYPE, type VerdictClaims } from '@postern/contract';
import { parseEmailAddress } from '../model/parse-email-address.ts';
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
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface PageSeal {
  readonly seal: (facts: PageFacts) => string;
  readonly open: (sealed: string) => PageFacts | undefined;
}

/** AES-256-GCM with a key of this installation: a page and a backend carry the facts, and cannot read or change them. */
export function createPageSeal(secret: string): PageSeal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'postern page facts', 32));
  return {
    seal: ({ fingerprintHash, ip, userAgent }) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = JSON.stringify({ fingerprintHash, ip, userAgent: userAgent?.slice(0, MAX_USER_AGENT) });
      const sealed = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url');
    },
    open: (sealed) => {
      try {
        const bytes = Buffer.from(sealed, 'base64url');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return JSON.parse(Buffer.concat([text, decipher.final()]).toString()) as PageFacts;
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
  seal: PageSeal,
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
    const page = claims.page === undefined ? undefined : seal.open(claims.page);
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
