import { apiError } from '@postern/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../../metrics/metrics.ts';
import { sameSecret } from '../../model/same-secret.ts';

export interface MetricsAccess {
  /** If it is set, it alone decides. */
  readonly token: string | undefined;
  /** If no token is set: whether the request comes from a private network. */
  readonly isPrivateCaller: (connection: {
    readonly peer: string | undefined;
    readonly headers: (name: string) => string | undefined;
  }) => boolean;
  /** Called for each request that is refused because it comes from outside. */
  readonly onPublicCaller: () => void;
}

export function addMetricsRoute(server: FastifyInstance, metrics: Metrics, access: MetricsAccess): void {
  server.get('/metrics', { exposeHeadRoute: true }, async (request, reply) => {
    const refused = refusalOf(access, request);
    if (refused !== undefined) {
      const { status, body } = apiError(refused);
      return reply.code(status).send(body);
    }
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

function refusalOf(access: MetricsAccess, { raw }: FastifyRequest): 'KEY_INVALID' | 'NOT_FOUND' | undefined {
  if (access.token !== undefined) {
    const given = raw.headers.authorization ?? '';
    return sameSecret(given, `Bearer ${access.token}`) ? undefined : 'KEY_INVALID';
  }
  const headers = (name: string) => {
    const value = raw.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  if (isLocalName(headers('host')) && access.isPrivateCaller({ peer: raw.socket.remoteAddress, headers }))
    return undefined;
  access.onPublicCaller();
  return 'NOT_FOUND';
}

/** Names that no stranger can make point to this machine: addresses, names without a dot, and those of local networks. */
const LOCAL_NAME =
  /^(?:\[[0-9a-f:.]+\]|[\d.]+|[^.:[\]]+|.+\.(?:localhost|local|lan|internal|svc|home\.arpa))$/i;

/**
 * Without a token a page of another site could read the metrics on the machine of the operator who has it open: it makes
 * its own name point to a private address. The browser still sends that name.
 */
function isLocalName(host: string | undefined): boolean {
  return host !== undefined && LOCAL_NAME.test(host.replace(/:\d+$/, '').replace(/\.$/, ''));
}
