import { apiError } from '@postern/contract';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../metrics.ts';
import { sameSecret } from '../../model/same-secret.ts';

export function addMetricsRoute(server: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  server.get('/metrics', { exposeHeadRoute: true }, async (request, reply) => {
    if (token !== undefined && !sameSecret(request.headers.authorization ?? '', `Bearer ${token}`)) {
      const { status, body } = apiError('KEY_INVALID');
      return reply.code(status).send(body);
    }
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}
