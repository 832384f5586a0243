import { isUtf8 } from 'node:buffer';
import {
  type ApiError,
  apiError,
  CHECK_NAMES,
  type CheckActions,
  type CheckName,
  DEFAULT_EVENT,
  type LanguageTag,
  readBody,
  readEmail,
  readOptions,
} from '@postern/contract';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import type { CheckInput } from '../checks/check.ts';
import { type AskMailRoute, createCheckInput, needDns } from '../checks/check-input.ts';
import type { Checks } from '../checks/run-checks.ts';
import { effectiveActions } from '../decision/policy.ts';
import type { ActivityTracker, RequestActivity } from '../lookup/activity-tracker.ts';
import type { OnGone } from '../lookup/dns/mail-lookup.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { scriptHint } from '../model/script-hint.ts';
import { parseWrittenIp } from '../model/written-ip.ts';
import type { ClientIp } from './client-ip.ts';
import type { HttpRequest } from './http-message.ts';
import { requestLanguage } from './request-language.ts';

/** A parsed and valid request, ready for the checks. */
export interface ValidationRequest {
  readonly input: CheckInput;
  readonly actions: CheckActions;
  readonly names: readonly CheckName[];
  readonly sdkVersion: string | undefined;
  /** What the person is doing. */
  readonly event: string;
  /** The language that the request asks for. */
  readonly language: LanguageTag;
  /** Whether the answer carries a signed verdict: always for a page, and for a backend that asks for it. */
  readonly wantsVerdict: boolean;
  /** Whether a flag may ask the person for something: a backend can say that it has no page that would. */
  readonly takesChallenge: boolean;
  /** The request as one of the project’s recent ones, for counting it once it is answered. */
  readonly activity: RequestActivity;
}

export interface ValidationReader {
  readonly clientIp: ClientIp;
  readonly checks: Checks;
  readonly activity: ActivityTracker;
  readonly mailRoute: (domain: string, projectId: string, onGone?: OnGone) => ReturnType<AskMailRoute>;
}

type ReadValidation =
  | { readonly ok: true; readonly request: ValidationRequest }
  | { readonly ok: false; readonly error: ApiError };

/** Reads the body: it is an object, its email is an address, and the other fields are valid. */
export function readValidation(
  reader: ValidationReader,
  incoming: HttpRequest,
  { key, project }: ResolvedKey,
  now: number,
): ReadValidation {
  // JSON is UTF-8 (RFC 8259 section 8.1). Invalid bytes would silently become replacement characters.
  if (!isUtf8(incoming.body)) return { ok: false, error: apiError('BODY_NOT_JSON') };
  const body = readBody(incoming.body.toString());
  if (!body.ok) return body;
  const email = readEmail(body.value);
  if (!email.ok) return email;
  const address = parseEmailAddress(email.value);
  if (address === undefined) return { ok: false, error: apiError('EMAIL_MALFORMED') };
  const options = readOptions(body.value, key.type, isIpAddress);
  if (!options.ok) return options;

  const { fingerprintHash, sdkVersion, validations, userAgent, ip, locale, event } = options.value;
  const actions = effectiveActions(project.policy, validations, key.type);
  const names = CHECK_NAMES.filter((name) => actions[name] !== undefined);
  const clientIp = reader.clientIp({
    peer: incoming.peer,
    headers: incoming.header,
    keyType: key.type,
    bodyIp: ip,
  });
  const sighting = reader.activity.ofRequest({
    projectId: project.id,
    address,
    ip: clientIp,
    // Only a page sends what people are still typing.
    fingerprintHash: key.type === 'client' ? fingerprintHash : undefined,
    now,
  });
  const facts = {
    address,
    fingerprintHash,
    ip: clientIp,
    userAgent: userAgent ?? incoming.header('user-agent'),
    scriptHint:
      key.type === 'client' ? scriptHint(incoming.header('user-agent'), incoming.header) : undefined,
    activity: sighting,
    project,
    now,
  };
  // The answer to a request with an Idempotency-Key is kept, so it must be complete even if the client has gone.
  const onGone = incoming.header('idempotency-key') === undefined ? incoming.onGone : undefined;
  const askMailRoute: AskMailRoute = (domain) => reader.mailRoute(domain, project.id, onGone);
  const input = createCheckInput(facts, needDns(reader.checks, names) ? askMailRoute : undefined);
  const language = requestLanguage(locale, incoming.header('accept-language'), key.type);
  const prefer = incoming.header('prefer');
  const wantsVerdict = key.type === 'client' || prefers(prefer, 'verdict');
  // A hook’s answer reaches no page either.
  const takesChallenge = incoming.hook === undefined && !prefers(prefer, 'no-challenge');
  return {
    ok: true,
    request: {
      input,
      actions,
      names,
      sdkVersion,
      event: event ?? DEFAULT_EVENT,
      language,
      wantsVerdict,
      takesChallenge,
      activity: sighting,
    },
  };
}

/** `Prefer: verdict` (RFC 7240). A signature costs more than the rest of the answer, and few backends hand it on. */
function prefers(prefer: string | undefined, what: string): boolean {
  return prefer?.split(',').some((each) => each.split(';')[0]?.trim().toLowerCase() === what) ?? false;
}

function isIpAddress(text: string): boolean {
  return parseWrittenIp(text) !== undefined;
}
