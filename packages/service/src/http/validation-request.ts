import { isUtf8 } from 'node:buffer';
import {
  type ApiError,
  apiError,
  CHECK_NAMES,
  type CheckActions,
  type CheckName,
  readBody,
  readEmail,
  readOptions,
} from '@postern/contract';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import type { CheckInput } from '../checks/check.ts';
import { effectiveActions } from '../decision/policy.ts';
import type { EmailAddress } from '../model/email-address.ts';
import { findInbox } from '../model/inbox.ts';
import { parseIpAddress } from '../model/ip-address.ts';
import type { MailRoute } from '../model/mail-route.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import type { ClientIp } from './client-ip.ts';
import type { HttpRequest } from './http-message.ts';

/** A request that may be asked, ready for the checks. */
export interface ValidationRequest {
  readonly input: CheckInput;
  readonly actions: CheckActions;
  readonly names: readonly CheckName[];
  readonly sdkVersion: string | undefined;
}

export interface ValidationReader {
  readonly clientIp: ClientIp;
  readonly mailRoute: (domain: string) => MailRoute | Promise<MailRoute>;
}

type ReadValidation =
  | { readonly ok: true; readonly request: ValidationRequest }
  | { readonly ok: false; readonly error: ApiError };

/** Steps 7 to 10: the body is an object, has an address, the address is one, the rest is of the right kind. */
export function readValidation(
  reader: ValidationReader,
  incoming: HttpRequest,
  { key, project }: ResolvedKey,
  now: number,
): ReadValidation {
  // JSON is UTF-8 (RFC 8259 section 8.1); bytes that are not would silently become other characters.
  if (!isUtf8(incoming.body)) return { ok: false, error: apiError('BODY_NOT_JSON') };
  const body = readBody(incoming.body.toString());
  if (!body.ok) return body;
  const email = readEmail(body.value);
  if (!email.ok) return email;
  const address = parseEmailAddress(email.value);
  if (address === undefined) return { ok: false, error: apiError('EMAIL_MALFORMED') };
  const options = readOptions(body.value, key.type, isIpAddress);
  if (!options.ok) return options;

  const { fingerprintHash, sdkVersion, validations, userAgent, ip } = options.value;
  const actions = effectiveActions(project.policy, validations, key.type);
  const names = CHECK_NAMES.filter((name) => actions[name] !== undefined);
  const mailRoute = once(() => (asksDns(names, address) ? reader.mailRoute(address.asciiDomain) : NOT_ASKED));
  const input: CheckInput = {
    address,
    fingerprintHash,
    ip: reader.clientIp({ peer: incoming.peer, headers: incoming.header, keyType: key.type, bodyIp: ip }),
    userAgent: userAgent ?? incoming.header('user-agent'),
    policy: project.policy,
    allowList: project.allowList,
    blockList: project.blockList,
    mailRoute,
    inbox: once(() => findInbox(address, mailRoute)),
    now,
  };
  return { ok: true, request: { input, actions, names, sdkVersion } };
}

const NOT_ASKED: MailRoute = { status: 'unknown', reason: 'not-asked' };

/** Whoever asks for none of the checks that look at mail hosts does not wait for DNS. */
function asksDns(names: readonly CheckName[], address: EmailAddress): boolean {
  return !address.literal && names.some((name) => name === 'mx' || name === 'disposable' || name === 'alias');
}

function isIpAddress(text: string): boolean {
  return parseIpAddress(text) !== undefined;
}

function once<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: work() };
    return result.value;
  };
}
