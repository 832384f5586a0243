import {
  apiError,
  fieldInvalid,
  type HookFormat,
  isHookFormat,
  MESSAGES,
  type OpenReason,
  readBody,
} from '@postern/contract';
import type { Gatekeeper } from '../admission/admission.ts';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import type { HookDecision, Json } from '../hooks/hook-format.ts';
import { HOOK_CODE } from '../hooks/hook-formats.ts';
import type { HookCall, Proof } from '../hooks/prove-sender.ts';
import type { Log } from '../log.ts';
import type { KeyMode } from '../model/api-key.ts';
import type { ReadVerdictPage } from '../record/verdict-page.ts';
import { createDeadlineTimer, RequestBudget } from '../store/deadline.ts';
import { StoreUnavailable } from '../store/store.ts';
import { type HttpRequest, type HttpResponse, refusal } from './http-message.ts';
import type { Validate } from './validate.ts';

/** Most sign-in servers refuse a sign-up when a hook is slow. This leaves a little of two seconds for the network. */
export const HOOK_DEADLINE_MS = 1_700;

export interface HookParts {
  readonly gatekeeper: Gatekeeper;
  readonly validate: Validate;
  readonly readVerdictPage: ReadVerdictPage;
  readonly now: () => number;
  readonly log: Log;
  /** Called with every call that proved itself, for the metrics. */
  readonly onAnswered: (format: HookFormat, result: string) => void;
  /** Called when a person was allowed without being judged. */
  readonly onOpened: (
    hook: { readonly id: string; readonly projectId: string | undefined },
    reason: OpenReason,
  ) => void;
}

interface CalledHook {
  readonly format: string;
  readonly id: string;
  /** Since the call began to arrive. */
  readonly elapsedMs: number;
}

export interface HookHandler {
  readonly answer: (request: HttpRequest, called: CalledHook) => Promise<HttpResponse>;
  /** Calls the hook as its sign-in server would, without counting it. */
  readonly test: (requestId: string, hook: { format: HookFormat; id: string }) => Promise<HttpResponse>;
}

/** What is known of a call while it is judged, for an answer when time is over. */
interface Known {
  proof?: Proof;
  projectId?: string;
}

type Judged =
  | { readonly decision: HookDecision }
  | { readonly refused: HttpResponse }
  | { readonly open: OpenReason };

/**
 * `POST /v1/hooks/<format>/<id>`: a sign-in server asks in its own language. Its call is translated into a request of
 * `/validate` and judged as one of a server key. Trouble of our own never refuses anybody.
 */
export function createHooks(parts: HookParts): HookHandler {
  const startTimer = createDeadlineTimer();
  const answer = async (
    request: HttpRequest,
    { format, id, elapsedMs }: CalledHook,
    mode: KeyMode = 'live',
  ): Promise<HttpResponse> => {
    if (!isHookFormat(format)) return refusal(apiError('NOT_FOUND'));
    const known: Known = {};
    let stopTimer: (() => void) | undefined;
    const late = new Promise<Judged>((resolve) => {
      stopTimer = startTimer(() => resolve({ open: 'time' }), Math.max(0, HOOK_DEADLINE_MS - elapsedMs));
    });
    const judging = judgeCall(parts, request, { format, id, mode }, known).catch((fault): Judged => {
      if (fault instanceof StoreUnavailable) return { open: 'store' };
      parts.log.error({ requestId: request.requestId, err: fault }, 'a hook could not judge');
      return { open: 'fault' };
    });
    const judged = await Promise.race([judging, late]);
    stopTimer?.();
    if ('refused' in judged) return judged.refused;
    const isOpen = 'open' in judged;
    const decision: HookDecision = isOpen ? { recommendation: 'allow', message: null } : judged.decision;
    if (isOpen) {
      const { requestId } = request;
      parts.log.warn({ requestId, hook: id, format, reason: judged.open }, 'a hook allowed without judging');
      if (mode === 'live') parts.onOpened({ id, projectId: known.projectId }, judged.open);
    }
    parts.onAnswered(format, isOpen ? 'open' : decision.recommendation);
    const call = { secret: known.proof?.secret, now: Math.floor(parts.now()) };
    const { status, body } = HOOK_CODE[format].write(decision, call);
    return {
      status,
      headers: isOpen ? { 'X-Postern-Open': judged.open } : {},
      body: typeof body === 'string' ? body : JSON.stringify(body),
      label: isOpen ? 'open' : decision.recommendation,
    };
  };
  return {
    answer,
    test: (requestId, { format, id }) => {
      const body = Buffer.from(JSON.stringify(HOOK_CODE[format].sample('jane.doe@gmail.com')));
      return answer(
        { requestId, peer: '', header: () => undefined, body },
        { format, id, elapsedMs: 0 },
        'test',
      );
    },
  };
}

interface Target {
  readonly format: HookFormat;
  readonly id: string;
  /** A test call comes from this process and proves nothing. */
  readonly mode: KeyMode;
}

async function judgeCall(
  parts: HookParts,
  request: HttpRequest,
  target: Target,
  known: Known,
): Promise<Judged> {
  const found = await findHook(parts, request, target, known);
  if ('refused' in found) return found;
  const { resolved, proof } = found;
  known.projectId = resolved.project.id;
  if (proof !== undefined) known.proof = proof;
  const body = readBody(request.body.toString());
  if (!body.ok) return { refused: refusal(body.error) };
  const read = HOOK_CODE[target.format].read(body.value);
  if (read === 'no-address') return { decision: { recommendation: 'allow', message: null } };
  if ('missing' in read) return { refused: refusal(fieldInvalid(read.missing, 'is required')) };
  const { steppedUp, ...page } =
    parts.readVerdictPage(read.verdict, resolved.project.id, read.ask.email) ?? {};
  const answer = await parts.validate(asValidation(request, target, { ...read.ask, ...page }, proof?.callId));
  const judged = judgedBy(answer, target.format);
  // The page has asked for what a flag asks for.
  if (steppedUp && 'decision' in judged && judged.decision.recommendation === 'flag')
    return { decision: steppedUpDecision(judged.decision) };
  return judged;
}

function steppedUpDecision({ answer }: HookDecision): HookDecision {
  const allow = { recommendation: 'allow', message: null } as const;
  return answer === undefined
    ? allow
    : { ...allow, answer: JSON.stringify({ ...(JSON.parse(answer) as object), ...allow }) };
}

/** The hook, if the call proves that its sign-in server sent it. A secret that is not known may be a new one. */
async function findHook(
  { gatekeeper, now }: HookParts,
  request: HttpRequest,
  { format, id, mode }: Target,
  known: Known,
): Promise<{ refused: HttpResponse } | { resolved: ResolvedKey; proof: Proof | undefined }> {
  const budget = new RequestBudget();
  const call: HookCall = { header: request.header, body: request.body, now: now() };
  for (const reread of [false, true]) {
    const admission = await gatekeeper.admit({ hookId: id, mode: 'live' }, reread, budget);
    if (!admission.admitted) return { refused: refusal(admission.error) };
    const { resolved } = admission;
    const { hook } = resolved.key;
    if (hook === null || hook.format !== format) return { refused: refusal(apiError('NOT_FOUND')) };
    const valid = hook.secrets.filter(({ until }) => until === null || until > call.now);
    const kept = valid.map((secret) => secret.kept);
    if (mode === 'test') {
      known.proof = { secret: kept[0] ?? '' };
      return { resolved, proof: undefined };
    }
    const proof = HOOK_CODE[format].proof.prove(call, kept);
    if (proof !== undefined) return { resolved, proof };
  }
  return { refused: refusal(apiError('HOOK_SIGNATURE_INVALID')) };
}

/** The call as a request of `/validate`. Its ID makes a repeat known, on every process. */
function asValidation(
  { requestId, peer }: HttpRequest,
  { id, mode }: Target,
  ask: Json,
  callId: string | undefined,
): HttpRequest {
  // A call’s own headers are the sign-in server’s, not the person’s.
  const key =
    callId === undefined ? undefined : `${id}:${Buffer.from(callId).toString('base64url')}`.slice(0, 255);
  return {
    requestId,
    peer,
    header: (name) => (name === 'idempotency-key' ? key : undefined),
    body: Buffer.from(JSON.stringify(ask)),
    hook: { hookId: id, mode },
  };
}

/** What the answer of `/validate` means for the sign-in server. */
function judgedBy(answer: HttpResponse, format: HookFormat): Judged {
  if (answer.headers['Idempotency-Replayed'] !== undefined || REPEATS.has(answer.label))
    return { refused: refusal(apiError('HOOK_SIGNATURE_INVALID', 'This call was answered before')) };
  switch (answer.status) {
    case 200: {
      const { recommendation, message } = JSON.parse(answer.body) as HookDecision;
      return { decision: { recommendation, message, answer: answer.body } };
    }
    case 402:
      return { open: 'quota' };
    case 429:
      return { open: 'rate' };
    case 503:
      return { open: 'store' };
    case 400:
      // Their person typed it, so their person can correct it.
      return answer.label === 'EMAIL_MALFORMED' && format !== 'generic'
        ? { decision: { recommendation: 'block', message: MESSAGES.syntax } }
        : { refused: answer };
    default:
      return { refused: answer };
  }
}

const REPEATS: ReadonlySet<string> = new Set(['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED']);
