import type { ApiError } from '@postern/contract';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import { NO_VISITORS, visitorsOf } from '../record/visitor.ts';
import type { Visitor } from '../store/store.ts';
import type { ClientIp } from './client-ip.ts';
import { type HttpRequest, type HttpResponse, refusal } from './http-message.ts';
import type { Count } from './metered-request.ts';

/** A client key is public, so its visitors have a limit of their own. */
export function visitorsBehind(
  { clientIp, keyedHash }: { readonly clientIp: ClientIp; readonly keyedHash: KeyedHash },
  incoming: HttpRequest,
  resolved: ResolvedKey,
): readonly Visitor[] {
  if (resolved.key.type !== 'client' || resolved.project.visitorRate === 0) return NO_VISITORS;
  const ip = clientIp({ peer: incoming.peer, headers: incoming.header, keyType: 'client' });
  return visitorsOf(ip, resolved.project, keyedHash);
}

/** Metrics and log distinguish a visitor’s 429 from the project’s. The caller sees the same error. */
export function limitResponse({ settlement, limits }: Count, error: ApiError): HttpResponse {
  const response = refusal(error, limits);
  const byVisitor = settlement.result === 'rate-limited' && settlement.by === 'visitor';
  return byVisitor ? { ...response, label: 'VISITOR_RATE_LIMITED' } : response;
}
