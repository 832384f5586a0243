import { isUtf8 } from 'node:buffer';
import { apiError, type ChallengeResponse, type ErrorName, readChallengeRequest } from '@postern/contract';
import type { Gatekeeper } from '../admission/admission.ts';
import type { Limits, NearLimitTracker } from '../admission/limits.ts';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import { messageLanguage } from '../decision/message-text.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { Project } from '../model/project.ts';
import type { VerdictSigner } from '../record/verdict.ts';
import { visitorsOf } from '../record/visitor.ts';
import type { Challenges, CodeReceiver } from '../step-up/challenges.ts';
import { RequestBudget } from '../store/deadline.ts';
import type { Store } from '../store/store.ts';
import type { ClientIp } from './client-ip.ts';
import { type HttpRequest, type HttpResponse, limitHeaders, refusal } from './http-message.ts';
import { MeteredRequest, type RequestState } from './metered-request.ts';
import { readCaller } from './read-caller.ts';
import { requestLanguage } from './request-language.ts';
import { untilFresh } from './until-fresh.ts';
import { limitResponse, visitorsBehind } from './visitors-behind.ts';

export interface ChallengeParts {
  readonly gatekeeper: Gatekeeper;
  readonly store: Pick<Store, 'settle' | 'refund'>;
  readonly nearLimit: NearLimitTracker;
  readonly clientIp: ClientIp;
  readonly keyedHash: KeyedHash;
  readonly challenges: Challenges;
  readonly verdicts: () => VerdictSigner;
  readonly now: () => number;
}

export type ChallengeHandler = (request: HttpRequest, id: string) => Promise<HttpResponse>;

/** `POST /v1/challenges/<id>`: admitted and counted like a validation, without using quota. */
export function createChallengeHandler(parts: ChallengeParts): ChallengeHandler {
  return (request, id) => {
    const state = newState(parts.now());
    return untilFresh(async (reread) => {
      const admission = await parts.gatekeeper.admit(readCaller(request), reread, state.budget);
      if (!admission.admitted) return refusal(admission.error);
      const { resolved } = admission;
      const visitors = visitorsBehind(parts, request, resolved);
      const count = await new MeteredRequest(parts, { resolved, visitors, state }).settle(null);
      if (count === 'stale') return 'stale';
      if (count.refused !== undefined) return limitResponse(count, count.refused);
      return answer(parts, { request, id, resolved, limits: count.limits });
    });
  };
}

interface Asked {
  readonly request: HttpRequest;
  readonly id: string;
  readonly resolved: ResolvedKey;
  readonly limits: Limits;
}

async function answer(
  parts: ChallengeParts,
  { request, id, resolved, limits }: Asked,
): Promise<HttpResponse> {
  if (!isUtf8(request.body)) return refusal(apiError('BODY_NOT_JSON'), limits);
  const read = readChallengeRequest(request.body.toString());
  if (!read.ok) return refusal(read.error, limits);
  if ('email' in read.value) {
    const { email, locale } = read.value;
    const address = parseEmailAddress(email);
    if (address === undefined) return refusal(apiError('EMAIL_MALFORMED'), limits);
    const { type } = resolved.key;
    const asked = requestLanguage(locale, request.header('accept-language'), type);
    const result = await parts.challenges.resend(resolved, id, {
      address: address.normalized,
      language: messageLanguage(resolved.project.policy, asked),
      ip: parts.clientIp({ peer: request.peer, headers: request.header, keyType: type }),
    });
    if (result === 'sent' || result === 'not_sent') return done({ sent: result === 'sent' }, limits);
    return refusal(apiError(ERRORS[result]), limits);
  }
  const proved = await parts.challenges.prove(resolved, id, read.value.proof);
  switch (proved.result) {
    case 'passed': {
      const verdict = await parts.verdicts().sign(proved.verdict);
      return done({ passed: true, recommendation: 'allow' }, limits, { 'X-Postern-Verdict': verdict });
    }
    case 'wrong':
      return done({ passed: false, triesLeft: proved.triesLeft }, limits);
    default:
      return refusal(apiError(ERRORS[proved.result]), limits);
  }
}

const ERRORS = {
  unknown: 'CHALLENGE_UNKNOWN',
  expired: 'CHALLENGE_EXPIRED',
  used: 'CHALLENGE_USED',
  away: 'UNAVAILABLE',
} as const satisfies Record<string, ErrorName>;

function done(body: ChallengeResponse, limits: Limits, headers: Record<string, string> = {}): HttpResponse {
  const all = { ...limitHeaders(limits), ...headers };
  return { status: 200, headers: all, body: JSON.stringify(body), label: 'challenge' };
}

const newState = (now: number): RequestState => ({
  now: Math.floor(now),
  budget: new RequestBudget(),
  idempotent: undefined,
  countedIn: undefined,
});

/** Codes in any hour: for one inbox, and for one visitor’s network. Larger networks have more, as for validations. */
const CODES_OF_ADDRESS = 3;
const CODES_OF_VISITOR = 20;

/**
 * Counts a code that is about to be mailed, in an hour of the project’s own. Exact over processes, because it is counted
 * as requests are.
 */
export function createCodeCounter(
  parts: Pick<ChallengeParts, 'store' | 'nearLimit' | 'keyedHash' | 'now'> & {
    /** The project’s hour of codes is used up. */
    readonly onStopped: (project: Project, now: number) => void;
  },
) {
  return async (resolved: ResolvedKey, { inbox, address, ip }: CodeReceiver): Promise<boolean> => {
    const { project } = resolved;
    const hashFor: KeyedHash = (kind, value) => parts.keyedHash(kind, `code ${value}`);
    const visitors = [
      { hash: hashFor('visitor', inbox), limit: CODES_OF_ADDRESS },
      // Many hosts deliver what follows a plus to the same inbox, and not all of these are known.
      { hash: hashFor('visitor', address.replace(/\+[^@]*/, '')), limit: CODES_OF_ADDRESS },
      ...visitorsOf(ip, { visitorRate: CODES_OF_VISITOR }, hashFor),
    ];
    const state = newState(parts.now());
    const limited = { ...resolved, rateLimit: project.policy.stepUpMailRate };
    const metered = new MeteredRequest(parts, { resolved: limited, visitors, lane: 'codes', state });
    const count = await metered.settle(null);
    if (count === 'stale') return false;
    const { settlement } = count;
    if (settlement.result === 'rate-limited' && settlement.by === 'project')
      parts.onStopped(project, state.now);
    return count.refused === undefined;
  };
}
