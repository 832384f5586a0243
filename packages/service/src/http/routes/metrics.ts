import { hash, timingSafeEqual } from 'node:crypto';
import { apiError } from '@postern/contract';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../metrics.ts';

export function addMetricsRoute(server: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  server.get('/metrics', { exposeHeadRoute: true }, async (request, reply) => {
    if (token !== undefined && !sameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) {
      const { status, body } = apiError('KEY_INVALID');
      return reply.code(status).send(body);
    }
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

/** Compares hashes, so that neither length nor content shows in the time. */
function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
