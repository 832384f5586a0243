import type { FastifyInstance } from 'fastify';
import type { VerdictSigner } from '../../record/verdict.ts';

/** The public keys with which anyone checks a verdict. */
export function addKeySetRoute(
  server: FastifyInstance,
  verdicts: () => VerdictSigner,
  now: () => number,
): void {
  server.get('/.well-known/jwks.json', async (_request, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=300')
      .header('Access-Control-Allow-Origin', '*')
      .type('application/jwk-set+json')
      .send(JSON.stringify(verdicts().keySet(now()))),
  );
}
