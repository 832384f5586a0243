import type { FastifyInstance } from 'fastify';
import type { VerdictKeys } from '../../record/verdict-keys.ts';

/** The public keys for verifying verdicts. */
export function addKeySetRoute(
  server: FastifyInstance,
  verdictKeys: Pick<VerdictKeys, 'freshSigner'>,
  now: () => number,
): void {
  server.get('/.well-known/jwks.json', { exposeHeadRoute: true }, async (_request, reply) => {
    const signer = await verdictKeys.freshSigner();
    return reply
      .header('Cache-Control', 'public, max-age=300')
      .header('Access-Control-Allow-Origin', '*')
      .type('application/jwk-set+json')
      .send(JSON.stringify(signer.keySet(now())));
  });
}
