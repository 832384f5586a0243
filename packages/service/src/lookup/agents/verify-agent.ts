import { verify } from 'node:crypto';
import { MINUTE_MS } from '@postern/contract';
import type { KeyDirectories } from './key-directory.ts';
import { claimedAgents, readMessageSignature, type SignedRequest } from './message-signature.ts';

/** A program that says in whose name it acts. */
export interface Agent {
  /** The operator’s host, as the setting names it. */
  readonly operator: string;
  /** Whether the signature is the operator’s. */
  readonly verified: boolean;
}

/** `undefined`: the request does not say so, or it could not be found out. */
export type VerifyAgent = (request: SignedRequest) => Promise<Agent | undefined> | undefined;

export interface AgentParts {
  /** The operators whose keys are read: hosts, or origins such as `http://127.0.0.1:8080`. */
  readonly operators: readonly string[];
  /**
   * The service’s own host, which a signature must be for. A `Host` header proves nothing: a site that got a request
   * could send it here.
   */
  readonly authority: string | undefined;
  readonly directories: KeyDirectories;
  readonly now: () => number;
  /** Called with the result of each signed request, for the metrics. */
  readonly onAgent: (result: 'verified' | 'impostor' | 'unknown') => void;
}

/** Clocks differ, and a request that was recorded must not be of use for long. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** Verifies the signature of Web Bot Auth that an agent’s browser adds to its requests. */
export function createVerifyAgent({ operators, authority, ...parts }: AgentParts): VerifyAgent {
  const origins = new Map(operators.map((name) => [originOf(name), new URL(originOf(name)).host]));
  const verifyOne = async (request: SignedRequest, origin: string): Promise<boolean | undefined> => {
    const signed = readMessageSignature(request);
    if (signed === 'foreign') return undefined;
    if (signed === 'malformed') return false;
    const now = parts.now();
    const age = now - signed.created * 1_000;
    if (Math.abs(age) > TOLERANCE_MS || signed.expires * 1_000 < now) return false;
    const key = await parts.directories.find(origin, signed.keyId);
    if (key === undefined) return undefined;
    return key !== 'missing' && verify(null, signed.base, key, signed.signature);
  };
  return (request) => {
    const { header } = request;
    if (header('signature-agent') === undefined || authority === undefined) return undefined;
    if (header('host')?.toLowerCase() !== authority) return undefined;
    const origin = [...claimedAgents(request).values()].map(originOf).find((each) => origins.has(each));
    if (origin === undefined) return undefined;
    return verifyOne(request, origin).then((verified) => {
      parts.onAgent(verified === undefined ? 'unknown' : verified ? 'verified' : 'impostor');
      return verified === undefined ? undefined : { operator: origins.get(origin) ?? '', verified };
    });
  };
}

function originOf(name: string): string {
  const url = /^https?:/.test(name) ? name : `https://${name}`;
  return URL.canParse(url) ? new URL(url).origin : '';
}
